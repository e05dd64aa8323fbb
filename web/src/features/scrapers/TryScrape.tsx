import { type TriedItem, type TryScrapeResponse, TryScrapeResponseSchema } from '@watchroom/shared/catalog'

import { useMissing } from '../../api/backendFacts.ts'
import { request } from '../../api/request.ts'
import { TrialRun } from '../../editor/TrialRun.tsx'
import { ConfigName } from '../../ui/config/ConfigLink.tsx'
import { DiffView } from '../../ui/diff/DiffView.tsx'

/** The server gives up a little earlier. */
const TIMEOUT_MS = 30_000

interface TryScrapeProps {
  /** As it stands in the form. */
  specText: string
  /** The stored scraper whose secrets and items count; null for a new one. */
  scraperId: string | null
}

/** What a run of the spec in the form would add, change and delete. Nothing of it is stored. */
export const TryScrape = ({ specText, scraperId }: TryScrapeProps) => (
  <TrialRun
    refusal={useMissing('trials')}
    specText={specText}
    tryOut={(spec) =>
      request('/api/config/try', {
        method: 'POST',
        body: { spec, ...(scraperId === null ? {} : { scraper_id: scraperId }) },
        schema: TryScrapeResponseSchema,
        timeoutMs: TIMEOUT_MS,
      })
    }
    toSummary={toSummary}
  >
    {({ added, changed, deleted }) => (
      <>
        <Tried title="Added" kind={added} />
        <Tried title="Changed" kind={changed} />
        <Tried title="Deleted" kind={deleted} />
      </>
    )}
  </TrialRun>
)

const toSummary = ({ added, changed, deleted, unchanged }: TryScrapeResponse): string =>
  `${added.total.toLocaleString()} added, ${changed.total.toLocaleString()} changed, ${deleted.total.toLocaleString()} deleted, ${unchanged.toLocaleString()} unchanged.`

function Tried({ title, kind: { total, items } }: { title: string; kind: TryScrapeResponse['added'] }) {
  if (total === 0) return null
  return (
    <details open={total <= items.length}>
      <summary>{`${title}: ${total.toLocaleString()}`}</summary>
      <ul>
        {items.map((item, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two items of one trial may have the same name
          <li key={index}>
            <TriedName item={item} />
            {item.diff === null ? null : <DiffView diff={item.diff} />}
          </li>
        ))}
      </ul>
      {total > items.length ? (
        <p className="wr-muted">{`and ${(total - items.length).toLocaleString()} more`}</p>
      ) : null}
    </details>
  )
}

const TriedName = ({ item: { name, type, config_id: id } }: { item: TriedItem }) => (
  <ConfigName config={{ id: id ?? name, name, type }} />
)
