import { Button, Callout, DialogBody, DialogFooter, Tab, Tabs } from '@blueprintjs/core'
import { ChevronLeft } from '@blueprintjs/icons'
import { toSpecJsonSchema } from '@watchroom/shared/specs'
import { useMemo, useState } from 'react'

import { readSpecText, toSpecText } from '../../editor/readSpecText.ts'
import { CodeField } from '../../ui/form/CodeField.tsx'
import { TextField } from '../../ui/form/TextField.tsx'
import { CodeBlock } from '../../ui/installation/CodeBlock.tsx'
import { type ChartRelease, toFluxText, toHelmText } from '../../ui/installation/manifests.ts'
import type { GitOpsChart } from './charts.ts'

import styles from './integrations.module.css'

/** Third specification, section 9. */
const DEFAULTS = { namespace: 'mission-control', interval: '30m' }
/** A label of DNS, as Kubernetes asks for. */
const NAMESPACE = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/

interface GitOpsFormProps {
  chart: GitOpsChart
  /** Called with whether something entered has not been copied yet. */
  onEntered: (isLost: boolean) => void
  onBack: () => void
  onClose: () => void
}

/** The values of a chart, and the resulting manifests for Flux or commands for Helm. Nothing is sent anywhere. */
export function GitOpsForm({ chart, onEntered, onBack, onClose }: GitOpsFormProps) {
  const [namespace, setNamespace] = useState(DEFAULTS.namespace)
  const [text, setText] = useState(() => toSpecText(chart.values))
  // From the last valid texts: a half-typed text changes nothing.
  const [shown, setShown] = useState({ namespace, values: chart.values })
  const schema = useMemo(() => toSpecJsonSchema(chart.schema), [chart])

  function handleNamespace(next: string): void {
    setNamespace(next)
    onEntered(true)
    if (NAMESPACE.test(next)) setShown((before) => ({ ...before, namespace: next }))
  }
  function handleValues(next: string): void {
    setText(next)
    onEntered(true)
    const { spec: values } = readSpecText(next)
    if (values !== null) setShown((before) => ({ ...before, values }))
  }

  const handleCopied = (): void => onEntered(false)

  const release: ChartRelease = { chart: chart.chart, name: chart.chart, release: chart.chart, values: shown.values }
  const flux = toFluxText(shown.namespace, [release], DEFAULTS.interval)
  const helm = toHelmText(shown.namespace, [release])
  return (
    <>
      <DialogBody>
        <p className="wr-muted">{chart.purpose}</p>
        <Callout intent="warning" compact role="note">
          You will need to have Kubernetes chart installed in flux to use this option.
        </Callout>
        <div className={styles['form']}>
          <TextField
            label="Namespace"
            value={namespace}
            onChange={handleNamespace}
            error={namespaceFault(namespace)}
            maxLength={63}
          />
          <CodeField
            label="Chart values"
            language="yaml"
            size="small"
            value={text}
            onChange={handleValues}
            schema={schema}
            error={valuesFault(text, chart)}
            help={unknownHint(shown.values, chart)}
          />
        </div>
        <Tabs id="add-integration" defaultSelectedTabId="flux">
          <Tab
            disabled={false}
            id="flux"
            title="Flux"
            panel={<CodeBlock text={flux} what="Flux manifests" onCopied={handleCopied} />}
          />
          <Tab
            disabled={false}
            id="helm"
            title="Helm CLI"
            panel={<CodeBlock text={helm} what="Helm commands" onCopied={handleCopied} />}
          />
        </Tabs>
      </DialogBody>
      <DialogFooter actions={<Button text="Close" intent="primary" onClick={onClose} />}>
        <Button text="Back" variant="minimal" icon={<ChevronLeft />} onClick={onBack} />
      </DialogFooter>
    </>
  )
}

function namespaceFault(namespace: string): string | undefined {
  if (namespace === '') return 'This field is required'
  return NAMESPACE.test(namespace) ? undefined : 'Lowercase letters, digits and inner dashes, 63 at most'
}

function valuesFault(text: string, { schema }: GitOpsChart): string | undefined {
  const { spec, problem } = readSpecText(text)
  if (problem !== null) return `Line ${problem.line}: ${problem.message}`
  const issue = schema.safeParse(spec).error?.issues[0]
  return issue && `${issue.path.join('.')}: ${issue.message}`
}

/** A misspelled key would have no effect, and nothing would report it. */
function unknownHint(values: Readonly<Record<string, unknown>>, { schema }: GitOpsChart): string | undefined {
  const unknown = Object.keys(values).filter((key) => !Object.hasOwn(schema.shape, key))
  return unknown.length === 0 ? undefined : `Not in the chart’s schema: ${unknown.join(', ')}. Check the spelling.`
}
