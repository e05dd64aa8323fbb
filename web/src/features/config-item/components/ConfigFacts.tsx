import { Link } from '@tanstack/react-router'
import { type ConfigDetail, type ConfigProperty, toTypeWords } from '@watchroom/shared/catalog'
import { NIL_UUID } from '@watchroom/shared/kernel'

import { useMayRead } from '../../../api/useMayRead.ts'
import { Cost } from '../../../ui/config/Cost.tsx'
import { CopyText } from '../../../ui/CopyText.tsx'
import { Fact } from '../../../ui/Fact.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import type { NamedConfig } from '../queries.ts'
import { ItemIncidents } from './ItemIncidents.tsx'
import { LinkedComponents } from './LinkedComponents.tsx'

import styles from '../configItem.module.css'

interface ConfigFactsProps {
  item: ConfigDetail
  /** The item as lists have it; absent until it is read. */
  listed: NamedConfig | undefined
}

/** What is known of an item beside its content. */
export function ConfigFacts({ item, listed }: ConfigFactsProps) {
  const mayRead = useMayRead()
  const scraper = item.config_scrapers
  const agent = listed?.agent
  const properties = item.properties ?? []
  return (
    <aside className={styles['facts']} aria-label="Details">
      <dl>
        <Fact name="Type">{toTypeWords(item.type)}</Fact>
        <Fact name="Class">{item.config_class}</Fact>
        <Fact name="Description">{item.description}</Fact>
        <Fact name="ID">
          <CopyText text={item.id} what="ID" isNamed />
        </Fact>
        <Fact name="External IDs">{item.external_id?.join(', ')}</Fact>
        <Fact name="Source">{item.source}</Fact>
        <Fact name="Scraper">
          {scraper ? <ScraperLink {...scraper} isLink={mayRead('config_scrapers', 'settings.config_scraper')} /> : null}
        </Fact>
        <Fact name="Agent">{agent && agent.id !== NIL_UUID ? agent.name : null}</Fact>
        <Fact name="Created">{item.created_at ? <TimeAgo at={item.created_at} /> : null}</Fact>
      </dl>
      <Costs item={item} />
      <Pairs title="Tags" pairs={item.tags} />
      <Pairs title="Labels" pairs={item.labels} />
      {properties.length === 0 ? null : (
        <>
          <h2>Properties</h2>
          <dl>
            {properties.map((property, at) => (
              // oxlint-disable-next-line react/no-array-index-key -- names may repeat
              <Fact key={at} name={property.name || 'Property'}>
                {toPropertyText(property)}
              </Fact>
            ))}
          </dl>
        </>
      )}
      <ItemIncidents configId={item.id} />
      <LinkedComponents item={item} />
    </aside>
  )
}

function ScraperLink({ id, name, isLink }: { id: string; name?: string | null | undefined; isLink: boolean }) {
  const text = name || 'Scraper'
  if (!isLink) return text
  return (
    <Link to="/catalog/scrapers/$id" params={{ id }}>
      {text}
    </Link>
  )
}

/** Money is shown for what costs some. */
function Costs({ item }: { item: ConfigDetail }) {
  const { cost_total_1d: day, cost_total_7d: week, cost_total_30d: month } = item
  if (!day && !week && !month) return null
  return (
    <>
      <h2>Cost</h2>
      <dl>
        <Fact name="1 day">
          <Cost value={day} costs={item} />
        </Fact>
        <Fact name="7 days">
          <Cost value={week} />
        </Fact>
        <Fact name="30 days">
          <Cost value={month} />
        </Fact>
      </dl>
    </>
  )
}

function Pairs({ title, pairs }: { title: string; pairs: Readonly<Record<string, string>> | null | undefined }) {
  const entries = Object.entries(pairs ?? {}).toSorted(([one], [other]) => one.localeCompare(other))
  if (entries.length === 0) return null
  return (
    <>
      <h2>{title}</h2>
      <ul className={styles['chips']} aria-label={title}>
        {entries.map(([key, value]) => (
          <li key={key} title={`${key}: ${value}`}>
            <span className="wr-muted">{key}:</span> {value}
          </li>
        ))}
      </ul>
    </>
  )
}

const toPropertyText = ({ text, value }: ConfigProperty): string => text || String(value ?? '')
