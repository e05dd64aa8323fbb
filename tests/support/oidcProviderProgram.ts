// The provider as a program, for journeys: prints where it is and its client's credentials, and does as the lines it reads say, until there are no more.
import { createInterface } from 'node:readline'

import { CLIENT_ID, CLIENT_SECRET, type ProviderPerson, startOidcProvider } from './oidcProvider.ts'

interface Order {
  /** Where the gateway is. */
  readonly gateway?: string
  readonly people?: Readonly<Record<string, ProviderPerson>>
  /** Whom the next browser is signed in as. */
  readonly signsIn?: string
}

const provider = await startOidcProvider()
process.stdout.write(
  `${JSON.stringify({ issuer: provider.issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET })}\n`,
)
for await (const line of createInterface(process.stdin)) {
  const { gateway, people = {}, signsIn } = JSON.parse(line) as Order
  if (gateway !== undefined) provider.serve(gateway)
  for (const [subject, person] of Object.entries(people)) provider.people.set(subject, person)
  if (signsIn !== undefined) provider.signsIn = signsIn
  process.stdout.write('{}\n')
}
await provider.stop()
