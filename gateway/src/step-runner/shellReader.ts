// Follows a shell script character by character, to know how a variable must be written at a place so that its value stays one word,
// or part of one. Reads what POSIX shells agree on. Where they differ, and where what was read could be two things, it says so and
// refuses: a value that it places wrongly is a program that somebody else writes.
import { TemplateFault } from './templateFault.ts'

interface HereDocument {
  readonly word: string
  /** Quoted, so that nothing in it is looked at. */
  readonly isPlain: boolean
  /** `<<-`: tabs at the beginning of a line do not count. */
  readonly isIndented: boolean
}

/** The word after `<<`, while it is read. */
interface Delimiter {
  word: string
  quote: '' | "'" | '"'
  isPlain: boolean
  isIndented: boolean
  isStarted: boolean
}

interface CommandFrame {
  readonly kind: 'command'
  /** `end` of the script, `substitution` `$(…)`, `group` `(…)`, or `backtick`. */
  readonly of: 'end' | 'substitution' | 'group' | 'backtick'
  /** Here-documents that begin on the next line; a group shares those of what it stands in. */
  readonly announced: HereDocument[]
  /** What was read of the word at hand; `MARK` stands for what is not plain text. */
  word: string
  /** How many `<` were read last. */
  less: number
  delimiter: Delimiter | null
  isComment: boolean
  /** Nothing was read in it yet. */
  isNew: boolean
  /** A backslash in backticks is looked at twice. */
  isUnsure: boolean
}

interface DocumentFrame {
  readonly kind: 'document'
  readonly document: HereDocument
  line: string
  /** Lines before this one that ended with a backslash. */
  joined: string
}

interface ArithmeticFrame {
  readonly kind: 'arithmetic'
  /** `$((`, not `((`, which is a group in a group to some shells. */
  readonly isExpansion: boolean
  depth: number
  isClosing: boolean
}

type Frame =
  | CommandFrame
  | DocumentFrame
  | ArithmeticFrame
  | { readonly kind: 'double' }
  | { readonly kind: 'single'; readonly isAnsi: boolean; isAfterBackslash: boolean }
  | { readonly kind: 'brace'; readonly isQuoted: boolean; isNew: boolean }

const MARK = '\0'
const BLANKS = ' \t'
/** Characters that end a word. */
const META = `${BLANKS}\n;&|()<>`
/** What follows `${`: a name, a number, or one of the shell's own. */
const PARAMETER = /[\w#!?@*$-]/
const INTEGER = /^-?\d{1,18}$/

const IN_SINGLE =
  'script: a value cannot stand inside single quotes or a quoted here-document, where it would be text of the script; ' +
  'use double quotes'
const ELSEWHERE = 'put it into a variable in a line before: VALUE={{ … }}, and use "$VALUE" here'
const AFTER_SIGN = `script: a value cannot stand right after a backslash or a dollar sign; ${ELSEWHERE}`
const IN_BRACES = `script: a value cannot stand inside \${…}; ${ELSEWHERE}`
const NO_INTEGER = 'script: a value inside (( … )) must be an integer'
const UNSURE = `script: shells differ in how they read what stands before this value; ${ELSEWHERE}, further up`

export class ShellReader {
  readonly #stack: Frame[] = [openCommand('end')]
  #isEscaped = false
  #isAfterDollar = false
  /** The dollar sign stood before the character that is read, or before the backslash that escapes it. */
  #wasAfterDollar = false
  /** Nothing that follows can be placed. */
  #isLost = false

  #lose(): void {
    this.#isLost = true
  }

  #top(): Frame {
    return this.#stack.at(-1) as Frame
  }

  #push(frame: Frame): void {
    this.#stack.push(frame)
  }

  #backtick(): CommandFrame | undefined {
    return this.#stack.findLast((frame): frame is CommandFrame => frame.kind === 'command' && frame.of === 'backtick')
  }

  #isAnnounced(): boolean {
    return this.#stack.some((frame) => frame.kind === 'command' && frame.announced.length > 0)
  }

  /** `$(`, `${` and backticks, which mean the same in every text that is looked at. True when it was one. */
  #expand(character: string): boolean {
    this.#isAfterDollar = character === '$' && !this.#wasAfterDollar
    if (character === '`') this.#push(openCommand('backtick'))
    else if (!this.#wasAfterDollar) return false
    else if (character === '(') this.#push(openCommand('substitution'))
    else if (character === '{') this.#push({ kind: 'brace', isQuoted: isQuoted(this.#stack), isNew: true })
    else if (character === '[') this.#lose()
    else return false
    return true
  }

  #endWord(frame: CommandFrame): void {
    // Its patterns end with parentheses that nothing opened.
    if (frame.word === 'case' && (frame.of === 'substitution' || frame.of === 'group')) this.#lose()
    frame.word = ''
  }

  #closeParenthesis(frame: CommandFrame): void {
    if (frame.of !== 'group' && frame.of !== 'substitution') return
    if (frame.of === 'substitution' && frame.announced.length > 0) this.#lose()
    this.#stack.pop()
  }

  #closeBacktick(frame: CommandFrame): void {
    const inner = this.#stack.splice(this.#stack.indexOf(frame))
    const isWhole = inner.length === 1 || frame.isUnsure
    if (!isWhole || frame.delimiter || frame.announced.length > 0 || inner.some(({ kind }) => kind === 'document'))
      this.#lose()
  }

  #readDelimiter(frame: CommandFrame, delimiter: Delimiter, character: string): void {
    if (delimiter.quote !== '') {
      if (character === delimiter.quote) delimiter.quote = ''
      else if (character === '\n' || (delimiter.quote === '"' && '\\$`'.includes(character))) this.#lose()
      else delimiter.word += character
      return
    }
    if (character === '-' && !delimiter.isStarted && !delimiter.isIndented) {
      delimiter.isIndented = true
    } else if (BLANKS.includes(character) && !delimiter.isStarted) {
      // May stand before the word.
    } else if (META.includes(character)) {
      if (delimiter.isStarted) frame.announced.push(delimiter)
      else this.#lose()
      frame.delimiter = null
      this.#readCommand(frame, character)
    } else if ('$`'.includes(character) || (character === '#' && !delimiter.isStarted)) {
      this.#lose()
    } else {
      delimiter.isStarted = true
      if (character === '\\') this.#isEscaped = true
      else if (character === "'" || character === '"') delimiter.quote = character
      else delimiter.word += character
      if (`\\'"`.includes(character)) delimiter.isPlain = true
    }
  }

  #readCommand(frame: CommandFrame, character: string): void {
    if (frame.delimiter) return this.#readDelimiter(frame, frame.delimiter, character)
    if (frame.isComment && character !== '\n') return
    if (frame.less === 2 && character !== '<') {
      frame.less = 0
      frame.delimiter = { word: '', quote: '', isPlain: false, isIndented: false, isStarted: false }
      return this.#readDelimiter(frame, frame.delimiter, character)
    }
    const { isNew } = frame
    const less = character === '<' ? frame.less + 1 : frame.less
    frame.isNew = false
    frame.less = character === '<' ? less : 0
    const isInParentheses = frame.of === 'substitution' || frame.of === 'group'
    // A line that goes on may hide what belongs together.
    if (less > 3 || (character === '\\' && (less > 0 || (isNew && isInParentheses)))) return this.#lose()
    if (character === '(' && isNew && isInParentheses) {
      this.#stack.pop()
      return this.#push({ kind: 'arithmetic', isExpansion: frame.of === 'substitution', depth: 0, isClosing: false })
    }
    if (this.#expand(character)) {
      frame.word += MARK
    } else if (META.includes(character)) {
      this.#endWord(frame)
      if (character === '\n') this.#endLine(frame)
      else if (character === '(') this.#push(openCommand('group', frame.announced))
      else if (character === ')') this.#closeParenthesis(frame)
    } else if (character === '#' && frame.word === '') {
      frame.isComment = true
    } else {
      frame.word += `\\'"`.includes(character) ? MARK : character
      if (character === '\\') this.#isEscaped = true
      else if (character === '"') this.#push({ kind: 'double' })
      else if (character === "'") this.#push({ kind: 'single', isAnsi: this.#wasAfterDollar, isAfterBackslash: false })
    }
  }

  #endLine(frame: CommandFrame): void {
    frame.isComment = false
    for (const document of frame.announced.splice(0).toReversed()) {
      this.#push({ kind: 'document', document, line: '', joined: '' })
    }
  }

  #readDocument(frame: DocumentFrame, character: string): void {
    if (character === '\n') {
      const isEnd = isLast(frame.line, frame.document)
      if (isEnd !== isLast(frame.joined + frame.line, frame.document)) this.#lose()
      if (isEnd) this.#stack.pop()
      frame.line = ''
      frame.joined = ''
      return
    }
    frame.line += character
    if (frame.document.isPlain) return
    if (character === '\\') this.#isEscaped = true
    else this.#expand(character)
  }

  #readBrace(frame: Frame & { kind: 'brace' }, character: string): void {
    if (frame.isNew) {
      frame.isNew = false
      if (!PARAMETER.test(character)) this.#lose()
    } else if (character === '}') {
      this.#stack.pop()
    } else if (character === '\\') {
      this.#isEscaped = true
    } else if (character === '"') {
      // Shells differ about it in a here-document, and about one in another.
      const outer = this.#stack.findLast(({ kind }) => kind !== 'brace')
      if (
        frame.isQuoted &&
        (outer?.kind === 'document' || this.#stack.at(-2)?.kind === 'brace' || isInner(this.#stack))
      )
        this.#lose()
      this.#push({ kind: 'double' })
    } else if (character === "'") {
      // Text to some shells where the whole stands in double quotes.
      if (frame.isQuoted) this.#lose()
      this.#push({ kind: 'single', isAnsi: false, isAfterBackslash: false })
    } else {
      this.#expand(character)
    }
  }

  #readArithmetic(frame: ArithmeticFrame, character: string): void {
    const isSure = frame.isExpansion ? !`'"\\`.includes(character) : !`'"\\#<`.includes(character)
    if (!isSure || (frame.isClosing && character !== ')')) return this.#lose()
    if (this.#expand(character)) return
    if (character === '(') frame.depth += 1
    else if (character !== ')') return
    else if (frame.depth > 0) frame.depth -= 1
    else if (frame.isClosing) this.#stack.pop()
    else frame.isClosing = true
  }

  /** Here-documents further out see every line, whatever stands open in them. */
  #noteLines(character: string): void {
    for (const frame of this.#stack.slice(0, -1)) {
      if (frame.kind !== 'document') continue
      if (character === '\n') {
        if (isLast(frame.line, frame.document)) this.#lose()
        frame.line = ''
      } else {
        frame.line += character
      }
    }
  }

  #readEscaped(frame: Frame, character: string): void {
    this.#isEscaped = false
    if (character === '\n' && this.#wasAfterDollar) this.#lose()
    if (frame.kind === 'document') {
      if (character === '\n') {
        frame.joined += frame.line.slice(0, -1)
        frame.line = ''
      } else {
        frame.line += character
      }
    } else if (frame.kind === 'command' && frame.delimiter) {
      if (character === '\n') this.#lose()
      frame.delimiter.word += character
    } else if (frame.kind === 'command' && character === '\n' && frame.word.endsWith(MARK)) {
      // The line goes on: neither was there.
      frame.word = frame.word.slice(0, -1)
    }
  }

  #step(character: string): void {
    this.#noteLines(character)
    const frame = this.#top()
    if (this.#isEscaped) return this.#readEscaped(frame, character)
    this.#wasAfterDollar = this.#isAfterDollar
    this.#isAfterDollar = false
    const around = this.#backtick()
    if (around && character === '`') return this.#closeBacktick(around)
    if (around && character === '\\') {
      around.isUnsure = true
      this.#isEscaped = true
      return
    }
    switch (frame.kind) {
      case 'command':
        this.#readCommand(frame, character)
        break
      case 'document':
        this.#readDocument(frame, character)
        break
      case 'double':
        if (character === '"') this.#stack.pop()
        else if (character === '\\') this.#isEscaped = true
        else this.#expand(character)
        break
      case 'single':
        if (character === "'") this.#stack.pop()
        if (character === "'" && frame.isAnsi && frame.isAfterBackslash) this.#lose()
        frame.isAfterBackslash = character === '\\'
        break
      case 'brace':
        this.#readBrace(frame, character)
        break
      case 'arithmetic':
        this.#readArithmetic(frame, character)
    }
    // Where one stands open at the end of a line, shells differ about where a here-document begins.
    if (character === '\n' && this.#isAnnounced()) this.#lose()
  }

  read(text: string): void {
    for (const character of text) {
      if (this.#isLost) return
      this.#step(character)
    }
  }

  /** How the variable with that value is written where the reader stands. @throws TemplateFault */
  place(name: string, value: string): string {
    const frame = this.#top()
    if (this.#isLost || this.#backtick()?.isUnsure) throw new TemplateFault(UNSURE)
    if (frame.kind === 'single' || (frame.kind === 'document' && frame.document.isPlain)) {
      throw new TemplateFault(IN_SINGLE)
    }
    if (this.#isEscaped || this.#isAfterDollar) throw new TemplateFault(AFTER_SIGN)
    for (const document of this.#stack) if (document.kind === 'document') document.line += '$'
    const bare = `\${${name}}`
    switch (frame.kind) {
      case 'command':
        if (frame.delimiter || frame.less === 2) throw new TemplateFault(UNSURE)
        frame.word += MARK
        frame.isNew = false
        frame.less = 0
        return `"${bare}"`
      case 'brace':
        throw new TemplateFault(IN_BRACES)
      case 'arithmetic':
        if (frame.isClosing) throw new TemplateFault(UNSURE)
        // Shells may look for commands in the text of a number.
        if (!INTEGER.test(value)) throw new TemplateFault(NO_INTEGER)
        return bare
      case 'double':
        if (this.#stack.at(-2)?.kind === 'brace') throw new TemplateFault(IN_BRACES)
        return bare
      case 'document':
        return bare
    }
  }
}

const openCommand = (of: CommandFrame['of'], announced: HereDocument[] = []): CommandFrame => ({
  kind: 'command',
  of,
  announced,
  word: '',
  less: 0,
  delimiter: null,
  isComment: false,
  isNew: true,
  isUnsure: false,
})

/** Whether what opens here stands in double quotes or a here-document. */
function isQuoted(stack: readonly Frame[]): boolean {
  const frame = stack.at(-1)
  return frame?.kind === 'double' || frame?.kind === 'document' || (frame?.kind === 'brace' && frame.isQuoted)
}

/** Whether the double quotes around stand in braces themselves. */
const isInner = (stack: readonly Frame[]): boolean => stack.at(-2)?.kind === 'double' && stack.at(-3)?.kind === 'brace'

const isLast = (line: string, { word, isIndented }: HereDocument): boolean =>
  (isIndented ? line.replace(/^\t+/, '') : line) === word
