import { Download, Duplicate } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import type { ConfigDetail } from '@watchroom/shared/catalog'
import { type ReactNode, useMemo } from 'react'

import { type EvidenceDraft, whyNotEvidence } from '../../../api/incidentCreation.ts'
import { CodeLines } from '../../../ui/code/CodeLines.tsx'
import { countLines, formatLineRanges, includesLine, parseLineRanges, within } from '../../../ui/code/lineRanges.ts'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { copyText } from '../../../ui/copyToClipboard.ts'
import { countOf } from '../../../ui/countOf.ts'
import { DataStates } from '../../../ui/DataStates.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { toQueryState } from '../../../ui/QueryStates.tsx'
import { saveFile } from '../../../ui/saveFile.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { type ConfigContent as Content, toConfigContent } from '../configContent.ts'
import { toConfigEvidence } from '../evidence.ts'
import { configContentQuery } from '../queries.ts'
import { ContentSearchSchema } from '../search.ts'

import styles from '../configItem.module.css'

export type RenderAttach = (evidence: EvidenceDraft, disabledReason: string | undefined) => ReactNode

interface ConfigContentProps {
  item: ConfigDetail
  /** Links lines to an incident. */
  renderAttach: RenderAttach
}

/** What the item holds, as code. */
export function ConfigContent(props: ConfigContentProps) {
  const query = useQuery(configContentQuery(props.item))
  const content = useMemo(() => (query.data === undefined ? undefined : toConfigContent(query.data)), [query.data])
  return (
    <section className={styles['content']} aria-label="Content">
      <DataStates state={{ ...toQueryState(query, 'content'), data: content }}>
        {(shown) => (shown === null ? <NoContent {...props} /> : <ContentLines {...props} content={shown} />)}
      </DataStates>
    </section>
  )
}

const NO_LINES: readonly string[] = []

function NoContent({ item, renderAttach }: ConfigContentProps) {
  return (
    <EmptyState title="No content" action={renderAttach(toConfigEvidence(item, NO_LINES, []), undefined)}>
      Its source reports that it exists, but not its content.
    </EmptyState>
  )
}

function ContentLines({ item, content, renderAttach }: ConfigContentProps & { content: Content }) {
  const [search, setSearch] = useSearchState(ContentSearchSchema)
  const { lines, language, format } = content
  const selected = useMemo(
    () => within(parseLineRanges(search.selected), lines.length),
    [search.selected, lines.length],
  )
  const count = countLines(selected)
  const evidence = useMemo(() => toConfigEvidence(item, lines, selected), [item, lines, selected])
  const name = item.name ?? item.id
  const copySelected = (): void =>
    void copyText(lines.filter((_, index) => includesLine(selected, index + 1)).join('\n'))
  return (
    <>
      <div className={styles['toolbar']} role="toolbar" aria-label="Content: tools">
        <span className="wr-muted">
          {format} · {countOf(lines.length, 'line')}
        </span>
        <output className={styles['selection']}>{count === 0 ? null : `${count.toLocaleString()} selected`}</output>
        {count === 0 ? null : (
          <>
            <CommandButton size="small" variant="minimal" command="Copy lines" onClick={copySelected} />
            <CommandButton
              size="small"
              variant="minimal"
              command="Clear selected lines"
              text="Clear"
              onClick={() => setSearch({ selected: '' })}
            />
          </>
        )}
        <span className={styles['tools']}>
          <CommandButton
            isIcon
            icon={<Duplicate size={14} />}
            command="Copy content"
            onClick={() => void copyText(lines.join('\n'))}
          />
          <CommandButton
            isIcon
            icon={<Download size={14} />}
            command="Download content"
            onClick={() => saveFile(`${name}.${format}`, new Blob([`${lines.join('\n')}\n`], { type: 'text/plain' }))}
          />
          {renderAttach(evidence, whyNotEvidence(evidence))}
        </span>
      </div>
      <div className={styles['lines']}>
        <CodeLines
          label={`Content of ${name}`}
          lines={lines}
          language={language}
          selected={selected}
          onSelect={(next) => setSearch({ selected: formatLineRanges(next) }, { replace: true })}
        />
      </div>
    </>
  )
}
