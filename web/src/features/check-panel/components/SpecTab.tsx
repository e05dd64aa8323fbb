import { Button } from '@blueprintjs/core'
import { Duplicate } from '@blueprintjs/icons'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { CheckSummary } from '@watchroom/shared/health'
import { useMemo } from 'react'
import { stringify } from 'yaml'

import { YamlEditor } from '../../../editor/YamlEditor.tsx'
import { copyText } from '../../../ui/copyToClipboard.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { QueryFailure } from '../../../ui/QueryFailure.tsx'
import { toOwnSpec } from '../ownSpec.ts'
import { canarySpecQuery, type CheckDetail } from '../queries.ts'

import styles from '../checkPanel.module.css'

interface SpecTabProps {
  check: CheckSummary
  detail: UseQueryResult<CheckDetail | null>
}

/** The definition of the check: its own part of its canary, as YAML. */
export function SpecTab({ check, detail }: SpecTabProps) {
  const canary = useQuery(canarySpecQuery(check.canary_id))
  const { type, name } = check
  const ownSpec = detail.data?.spec
  const canarySpec = canary.data?.spec
  const yaml = useMemo(() => {
    const spec = toOwnSpec({ type, name, spec: ownSpec }, canarySpec)
    return spec === null ? null : stringify(spec).trimEnd()
  }, [type, name, ownSpec, canarySpec])

  if (canary.isPending || detail.isPending) return <LoadingSkeleton rows={6} label="Loading specification" />
  const failed = [canary, detail].find(({ isError }) => isError)
  if (failed && yaml === null) {
    return (
      <QueryFailure
        what="the specification"
        query={{
          error: failed.error,
          isFetching: canary.isFetching || detail.isFetching,
          refetch: () => Promise.all([canary.refetch(), detail.refetch()]),
        }}
      />
    )
  }
  if (yaml === null) {
    return <EmptyState>The backend has no definition of this check.</EmptyState>
  }
  return (
    <section aria-label="Specification">
      <div className={styles['specBar']}>
        {canary.data?.name ? (
          <span className="wr-muted">
            From the canary {canary.data.namespace ? `${canary.data.namespace}/` : ''}
            {canary.data.name}
          </span>
        ) : null}
        <Button
          size="small"
          variant="minimal"
          icon={<Duplicate size={12} />}
          text="Copy"
          onClick={() => void copyText(yaml)}
        />
      </div>
      <YamlEditor value={yaml} readOnly size="medium" aria-label="Specification of the check" />
    </section>
  )
}
