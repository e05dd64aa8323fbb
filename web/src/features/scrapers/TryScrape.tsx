import { Button, Callout } from '@blueprintjs/core'
import { useMutation } from '@tanstack/react-query'
import { type TriedItem, type TryScrapeResponse, TryScrapeResponseSchema } from '@watchroom/shared/catalog'
import { useId } from 'react'

import { errorText, request } from '../../api/request.ts'
import { readSpecText } from '../../editor/readSpecText.ts'
import { ConfigName } from '../../ui/config/ConfigLink.tsx'
import { DiffView } from '../../ui/diff/DiffView.tsx'

import styles from './scrapers.module.css'

/** The server gives up a little earlier. */
const TIMEOUT_MS = 30_000

interface TryScrapeProps {
  /** As it stands in the form. */
  specText: string
  /** The stored scraper whose secrets and items count; null for a new one. */
  scraperId: string | null
}

async function trySpec({ specText, scraperId }: TryScrapeProps): Promise<TryScrapeResponse & { specText: string }> {
  const { spec, problem } = readSpecText(specText)
  if (spec === null) throw new Error(problem?.message ?? 'A spec is a map of keys and values')
  const answer = await request('/api/config/try', {
    method: 'POST',
    body: { spec, ...(scraperId === null ? {} : { scraper_id: scraperId }) },
    schema: TryScrapeResponseSchema,
    timeoutMs: TIMEOUT_MS,
  })
  return { ...answer, specText }
}

/** What a run of the spec in the form would add, change and delete. Nothing of it is stored. */
export function TryScrape(tried: TryScrapeProps) {
  const titleId = useId()
  const trial = useMutation({ mutationFn: trySpec })
  const { data, error } = trial
  return (
    <section className={styles['trial']} aria-labelledby={titleId}>
      <header>
        <h2 id={titleId}>Trial run</h2>
        <Button text="Try it" loading={trial.isPending} onClick={() => trial.mutate(tried)} />
        <span className="wr-muted">Reads what the spec names, and stores nothing.</span>
      </header>
      <div aria-live="polite">
        {error ? (
          <Callout intent="danger" icon={null} compact>
            {errorText(error)}
          </Callout>
        ) : null}
        {data ? (
          <>
            {data.specText === tried.specText ? null : <p className="wr-muted">The spec was changed since.</p>}
            <p>{toSummary(data)}</p>
            {data.problems.length === 0 ? null : (
              <Callout intent="warning" icon={null} compact title="Could not be used">
                <ul>
                  {data.problems.map((problem) => (
                    <li key={problem}>{problem}</li>
                  ))}
                </ul>
              </Callout>
            )}
            <Tried title="Added" kind={data.added} />
            <Tried title="Changed" kind={data.changed} />
            <Tried title="Deleted" kind={data.deleted} />
          </>
        ) : null}
      </div>
    </section>
  )
}

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
