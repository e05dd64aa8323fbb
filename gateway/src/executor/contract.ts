// Programs that people write (scripts of checks) run through this and nothing else. What they may reach is decided here, once.

/** How programs are kept apart from the product, strongest first; `off`: nothing runs, and why. */
export type Confinement =
  /** As another user than the product (only root can), and in namespaces of their own. */
  | { readonly kind: 'user-and-namespaces'; readonly uid: number }
  /** As another user than the product. Why there are no namespaces is for the log. */
  | { readonly kind: 'user'; readonly uid: number; readonly reason: string }
  /** As the product's own user, in namespaces in which its files cannot be seen and no file can be written. */
  | { readonly kind: 'namespaces' }
  | { readonly kind: 'off'; readonly reason: string }

export type OutputTaker = (stream: 'stdout' | 'stderr', bytes: Buffer) => Promise<void> | void

export interface Program {
  /** Run by `sh` in an empty folder. */
  readonly script: string
  /** Its whole environment but PATH, LANG, TZ, HOME and TMPDIR. */
  readonly env: Readonly<Record<string, string>>
  /** Ends it and everything it started. */
  readonly signal: AbortSignal
  /** Of each of stdout and stderr. */
  readonly maxOutputBytes: number
  /**
   * Takes what it prints, as it prints it; the result then has none. Nothing more is read until a returned promise settles, so that
   * a script that prints faster than it can be taken waits.
   */
  readonly onOutput?: OutputTaker
}

export interface ProgramResult {
  /** Null when a signal ended it. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly isTruncated: boolean
  /** Of the script itself, in milliseconds; null when it was never reached, and `stderr` says why. */
  readonly durationMs: number | null
}

export interface Executor {
  readonly confinement: Confinement
  /** @throws Error when nothing runs here: ask `confinement` first */
  run(program: Program): Promise<ProgramResult>
}
