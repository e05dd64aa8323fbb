// The error catalogue's grammar. Each capability lists its own errors in its `errors.ts`; docs/errors.md explains every code to
// operators, and tests/architecture/errors.test.ts keeps the two equal.

/** One way to fail, decided once: who sees it, whether a retry helps, whether someone must be woken. */
export interface ErrorDefinition<Message extends string = string> {
  /** Stable and never reused: `{CAPABILITY}_{WHAT_HAPPENED}`. */
  readonly code: string
  /** What the caller reads; `{name}` is filled from the error's values. */
  readonly message: Message
  /** HTTP status of the answer that carries it. */
  readonly status: number
  /** The same call may succeed later without a change by the caller. */
  readonly retryable: boolean
  /** A person has to look at it: logged at level `error`, else at `warn` from 500 on, and at `debug` below. */
  readonly reportable: boolean
}

type Sources = Record<string, Omit<ErrorDefinition, 'code'>>
type Catalogue<Source extends Sources> = {
  readonly [Code in keyof Source & string]: ErrorDefinition<Source[Code]['message']> & { readonly code: Code }
}

/** Declares the errors of one capability; the key is the code. */
export function defineErrors<const Source extends Sources>(source: Source): Catalogue<Source> {
  const entries = Object.entries(source).map(([code, definition]) => [code, Object.freeze({ code, ...definition })])
  return Object.freeze(Object.fromEntries(entries)) as Catalogue<Source>
}

type Placeholder<Message extends string> = Message extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never

/** `values` is asked for exactly when the message has placeholders. */
export type CodedErrorOptions<Message extends string> = {
  readonly cause?: unknown
  /** Travels to the caller as `details`; never put a secret in. */
  readonly details?: unknown
  /** When the same call is worth another try; sent as `Retry-After`. */
  readonly retryAfterS?: number
} & ([Placeholder<Message>] extends [never]
  ? { readonly values?: undefined }
  : { readonly values: Readonly<Record<Placeholder<Message>, string | number>> })

type Arguments<Message extends string> = [Placeholder<Message>] extends [never]
  ? [options?: CodedErrorOptions<Message>]
  : [options: CodedErrorOptions<Message>]

/** An operational failure from the catalogue. Expected outcomes are values, bugs are plain errors. */
export class CodedError<Message extends string = string> extends Error {
  override readonly name = 'CodedError'
  readonly code: string
  readonly status: number
  readonly retryable: boolean
  readonly reportable: boolean
  readonly details: unknown
  readonly retryAfterS: number | undefined

  constructor(definition: ErrorDefinition<Message>, ...[options]: Arguments<Message>) {
    super(
      fill(definition.message, options?.values ?? {}),
      options?.cause === undefined ? undefined : { cause: options.cause },
    )
    this.code = definition.code
    this.status = definition.status
    this.retryable = definition.retryable
    this.reportable = definition.reportable
    this.details = options?.details
    this.retryAfterS = options?.retryAfterS
  }
}

function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder))
}
