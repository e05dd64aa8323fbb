import type { TopicView } from '../../../live/contract.ts'
import { Freshness } from '../../../live/Freshness.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { CatalogPreferences } from './CatalogPreferences.tsx'

/** @param live what keeps the rows as they are */
export function CatalogHeader({ live }: { live: TopicView<unknown> }) {
  return (
    <PageHeader title="Catalog" controls={<CatalogPreferences />}>
      <Freshness view={live} />
    </PageHeader>
  )
}
