import type { Sender } from '../sender.ts'
import { postForWords } from './postMessage.ts'

export const sendTeams: Sender = async (connection, { title, text, link }, options) => {
  const [tenant, altId, owner] = ['tenant', 'altID', 'groupOwner'].map((name) =>
    encodeURIComponent(connection.needed(name)),
  )
  const group = encodeURIComponent(connection.text('group'))
  const url = `https://${connection.needed('host')}/webhookb2/${group}@${tenant}/IncomingWebhook/${altId}/${owner}`
  await postForWords(
    options,
    { url },
    {
      '@type': 'MessageCard',
      '@context': 'http://schema.org/extensions',
      summary: title,
      title,
      text,
      ...(link !== undefined && {
        potentialAction: [{ '@type': 'OpenUri', name: 'Open', targets: [{ os: 'default', uri: link }] }],
      }),
    },
  )
  return { externalId: null }
}
