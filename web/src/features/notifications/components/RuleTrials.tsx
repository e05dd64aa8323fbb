import { Button } from '@blueprintjs/core'
import { type Rehearsal, REHEARSED_DAYS, type RuleFault, type RulePreview } from '@watchroom/shared/notifications'
import { type ReactNode, useState } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { errorText } from '../../../api/request.ts'
// Tries a rule before it is saved: what it would say of the last event, and what it would have sent lately.
import { countOf } from '../../../ui/countOf.ts'
import type { Form } from '../../../ui/form/useForm.ts'
import { showErrorToast } from '../../../ui/toaster.ts'
import { useExactTime } from '../../../ui/useExactTime.ts'
import { previewRule, rehearseRule, type Rule } from '../queries.ts'
import { type RuleFields, toDraft, toRehearsal } from '../ruleForm.ts'

import styles from '../notifications.module.css'

interface RuleTrialsProps {
  readonly form: Form<RuleFields>
  /** The rule that is edited. */
  readonly stored?: Rule
}

export function RuleTrials({ form, stored }: RuleTrialsProps) {
  const [result, setResult] = useState<ReactNode>(null)
  const [busy, setBusy] = useState('')
  const refusal = useMissing('notificationReasons')
  const run = async (name: string, trial: () => Promise<ReactNode>): Promise<void> => {
    setBusy(name)
    try {
      setResult(await trial())
    } catch (error) {
      showErrorToast(errorText(error))
    } finally {
      setBusy('')
    }
  }
  const preview = async () => <PreviewResult preview={await previewRule(toDraft(form.values))} />
  const rehearse = async () => <RehearsalResult rehearsal={await rehearseRule(toRehearsal(form.values, stored))} />
  if (refusal !== null) return null
  return (
    <>
      <Button
        variant="minimal"
        text="Preview"
        loading={busy === 'preview'}
        onClick={() => void run('preview', preview)}
      />
      <Button
        variant="minimal"
        text="Rehearse"
        loading={busy === 'rehearse'}
        onClick={() => void run('rehearse', rehearse)}
      />
      <div aria-live="polite">{result}</div>
    </>
  )
}

function Faults({ faults }: { faults: readonly RuleFault[] }) {
  return faults.map(({ field, message }) => (
    <p key={`${field} ${message}`}>
      {field}: {message}
    </p>
  ))
}

function PreviewResult({ preview: { faults, sample } }: { preview: RulePreview }) {
  if (faults.length > 0) return <Faults faults={faults} />
  if (sample === null) return <p className="wr-muted">There’s no resource yet to try it on.</p>
  const verdict =
    sample.passes === true
      ? null
      : sample.passes === false
        ? 'The filter doesn’t match.'
        : 'The filter can’t be evaluated for it.'
  return (
    <>
      <p className="wr-muted">
        {sample.event} of {sample.resource}. {verdict}
      </p>
      <pre className={styles['message']}>{`${sample.title}\n\n${sample.text}`}</pre>
    </>
  )
}

/** In the order of importance for people, messages first. */
const COUNTED: Readonly<Record<keyof Rehearsal['counts'], string>> = {
  sent: 'sent',
  pending: 'waiting',
  grouped: 'folded',
  silenced: 'silenced',
  'repeat-interval': 'repeated',
  'held-back': 'held back',
  'rate-limited': 'beyond the limit',
  error: 'without a recipient or in error',
  filtered: 'left out by the filter',
}
const COUNT_NAMES = Object.keys(COUNTED) as (keyof typeof COUNTED)[]

function RehearsalResult({ rehearsal: { faults, since, transitions, counts } }: { rehearsal: Rehearsal }) {
  const toExact = useExactTime()
  if (faults.length > 0) return <Faults faults={faults} />
  if (transitions === 0) return <p className="wr-muted">No matching event in the last {REHEARSED_DAYS} days.</p>
  const told = COUNT_NAMES.filter((name) => name === 'sent' || counts[name] > 0)
  return (
    <>
      <p>{told.map((name) => `${counts[name].toLocaleString()} ${COUNTED[name]}`).join(', ')}</p>
      <p className="wr-muted">
        Tried on {countOf(transitions, 'event')} since {toExact(Date.parse(since))}. Nobody was notified.
      </p>
    </>
  )
}
