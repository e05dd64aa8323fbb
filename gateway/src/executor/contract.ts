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

/** A file that a script left. */
export interface LeftFile {
  /** Below the folder in which it ran. */
  readonly path: string
  readonly content: Buffer
}

/** Which files of a script that ended by itself are kept. What is beyond the bounds is left out, and stderr says so. */
export interface WantedFiles {
  /** Of letters, digits, `_ . - /`, and `*` and `?` as the shell reads them. */
  readonly patterns: readonly string[]
  readonly maxFiles: number
  /** Of all together. */
  readonly maxBytes: number
}

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
  readonly wanted?: WantedFiles
}

export interface ProgramResult {
  /** Null when a signal ended it. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly isTruncated: boolean
  /** Of the script itself, in milliseconds; null when it was never reached, and `stderr` says why. */
  readonly durationMs: number | null
  readonly files: readonly LeftFile[]
}

export interface Executor {
  readonly confinement: Confinement
  /** @throws Error when nothing runs here: ask `confinement` first */
  run(program: Program): Promise<ProgramResult>
}
