import { Button, Callout } from '@blueprintjs/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'

import { errorText } from '../ui/errorText.ts'
import { readSpecText } from './readSpecText.ts'

import styles from './trialRun.module.css'

interface TrialRunProps<Answer> {
  /** As it stands in the form. */
  specText: string
  /** Why this backend tries nothing; null where it does. */
  refusal: string | null
  tryOut: (spec: Readonly<Record<string, unknown>>) => Promise<Answer>
  toSummary: (answer: Answer) => string
  children: (answer: Answer) => ReactNode
}

/** What a run of the spec in the form would do. Nothing of it is stored. */
export function TrialRun<Answer extends { readonly problems: readonly string[] }>({
  specText,
  refusal,
  tryOut,
  toSummary,
  children,
}: TrialRunProps<Answer>) {
  const titleId = useId()
  const trial = useMutation({
    mutationFn: async (text: string) => {
      const { spec, problem } = readSpecText(text)
      if (spec === null) throw new Error(problem?.message ?? 'A spec is a map of keys and values')
      return { text, answer: await tryOut(spec) }
    },
  })
  const { data, error } = trial
  return (
    <section className={styles['trial']} aria-labelledby={titleId}>
      <header>
        <h2 id={titleId}>Trial run</h2>
        <Button
          text="Try it"
          disabled={refusal !== null}
          loading={trial.isPending}
          onClick={() => trial.mutate(specText)}
        />
        <span className="wr-muted">{refusal ?? 'Reads the sources in the spec and stores nothing.'}</span>
      </header>
      <div aria-live="polite">
        {error ? (
          <Callout intent="danger" icon={null} compact>
            {errorText(error)}
          </Callout>
        ) : null}
        {data ? (
          <>
            {data.text === specText ? null : <p className="wr-muted">The spec has changed since.</p>}
            <p>{toSummary(data.answer)}</p>
            <TrialProblems title="Could not be used" problems={data.answer.problems} />
            {children(data.answer)}
          </>
        ) : null}
      </div>
    </section>
  )
}

/** What a trial left out. */
export function TrialProblems({ title, problems }: { title: string; problems: readonly string[] }) {
  if (problems.length === 0) return null
  return (
    <Callout intent="warning" icon={null} compact title={title}>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </Callout>
  )
}
