import type { RunnableCheck } from '../check-runner/contract.ts'
import { httpRunner } from '../check-runner/types/http.ts'
import type { Step } from './contract.ts'
import { climbs, keepsServer } from './filledAddress.ts'
import { TemplateFault } from './templateFault.ts'
import { fillTemplate, HOLES } from './templates.ts'

/** One request. An answer of 2xx is success. */
export const runHttp: Step<'http'> = async (call) => {
  const { spec, scope, signal, clock, logger, opener, lookUp, wayOut, openOutput } = call
  const fill = (text: string): Promise<string> => fillTemplate(text, scope, lookUp)
  const url = spec.url === undefined ? undefined : await fill(spec.url)
  if (spec.url !== undefined && url !== undefined) {
    if (!keepsServer(spec.url, HOLES, url))
      throw new TemplateFault('url: a value would lead to another server than the one that is written there')
    if (climbs(spec.url, HOLES, url))
      throw new TemplateFault('url: a value would lead out of the path that is written there')
  }
  const headers: { name: string; value: string }[] = []
  for (const { name, value = '' } of spec.headers ?? []) headers.push({ name, value: await fill(value) })
  const check: RunnableCheck = {
    name: 'step',
    timeoutMs: 0,
    type: 'http',
    spec: {
      headers,
      ...(url !== undefined && { url }),
      ...(spec.connection !== undefined && { connection: spec.connection }),
      ...(spec.method !== undefined && { method: spec.method }),
      ...(spec.body !== undefined && { body: await fill(spec.body) }),
    },
  }
  const opened = await opener.open(check)
  if (!opened.ok) return { result: null, error: opened.error }
  const output = openOutput(opened.value.secrets)
  // The opener leaves no references to values elsewhere in it.
  const asked = opened.value.check.spec as Parameters<typeof httpRunner.run>[0]
  const outcome = await httpRunner.run(asked, { signal, clock, logger, wayOut })
  const seen = outcome.variables?.()
  if (seen) await output.write('stdout', seen['content']?.value as string)
  const { stdout } = await output.end()
  if (!seen) return { result: null, error: outcome.error ?? 'nothing was answered' }
  const result = {
    code: Number(seen['code']?.value),
    headers: Object.fromEntries(namesOf(seen['headers']?.value)),
    content: stdout,
  }
  return { result, error: outcome.passed ? null : (outcome.error ?? 'the answer is not a success') }
}

/** Each header once, by its plain name; cookies are credentials. */
function namesOf(headers: unknown): [string, string][] {
  const all = headers instanceof Map ? [...(headers as Map<string, string>)] : []
  return all.filter(([name]) => name === name.toLowerCase() && name !== 'set-cookie')
}
