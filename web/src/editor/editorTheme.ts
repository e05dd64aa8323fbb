import { monaco } from './monaco.ts'

const NAME = 'watchroom'

/** Colors of Monaco from the tokens of `ui/theme.css`; follows the page's theme until closed. */
export function followPageTheme(): { close(): void } {
  const apply = (): void => {
    const tokens = getComputedStyle(document.body)
    const token = (name: string): string => toLongHex(tokens.getPropertyValue(`--wr-${name}`).trim())
    const isDark = document.body.classList.contains('bp6-dark')
    monaco.editor.defineTheme(NAME, {
      base: isDark ? 'vs-dark' : 'vs',
      inherit: true,
      rules: [
        { token: 'type.yaml', foreground: token('accent').slice(1) },
        { token: 'string.yaml', foreground: token('text').slice(1) },
        { token: 'comment.yaml', foreground: token('muted').slice(1) },
      ],
      colors: {
        'editor.background': token('surface'),
        'editor.foreground': token('text'),
        'editorLineNumber.foreground': token('muted'),
        // Of the empty last line.
        'editorLineNumber.dimmedForeground': token('muted'),
        'editorLineNumber.activeForeground': token('text'),
        'editorCursor.foreground': token('accent'),
        'editor.lineHighlightBackground': token('hover'),
        'editor.lineHighlightBorder': token('hover'),
        'editorWidget.background': token('raised'),
        'editorWidget.border': token('border'),
        'editorHoverWidget.background': token('raised'),
        'editorSuggestWidget.background': token('raised'),
        'editorError.foreground': token('unhealthy'),
        'editorWarning.foreground': token('warning'),
        focusBorder: token('focus'),
      },
    })
    monaco.editor.setTheme(NAME)
  }
  const observer = new MutationObserver(apply)
  observer.observe(document.body, { attributeFilter: ['class'] })
  apply()
  return { close: () => observer.disconnect() }
}

/** Monaco takes six digits only, and the build shortens `#ffffff`. */
function toLongHex(color: string): string {
  return color.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3')
}
