import { Callout } from '@blueprintjs/core'

/** What to know of a form before it is saved, for example that there is a newer version. */
export interface FormNote {
  readonly title: string
  readonly text: string
}

export const FormNotice = ({ notice: { title, text } }: { notice: FormNote }) => (
  <Callout intent="warning" icon={null} aria-live="polite" title={title}>
    {text}
  </Callout>
)
