import { KeyList, type KeyMeaning } from '../../../ui/KeyList.tsx'

import styles from '../docs.module.css'

interface KeyGroup {
  readonly title: string
  /** Pages that it is about begin like this; all of them when it is empty. */
  readonly path: string
  readonly keys: readonly KeyMeaning[]
}

const GROUPS: readonly KeyGroup[] = [
  {
    title: 'Everywhere',
    path: '',
    keys: [
      ['Ctrl+K ⌘K', 'Search, go somewhere or run a command'],
      ['?', 'Show these keys'],
      ['/', 'Go to the search box of the page'],
      ['g h', 'Go to Health: g, then a letter'],
      ['g i', 'Go to Incidents'],
      ['g c', 'Go to Catalog'],
      ['g t', 'Go to the Dashboard'],
      ['g p', 'Go to Playbooks'],
      ['g l', 'Go to Logs'],
      ['g s', 'Go to the settings'],
      ['c', 'Create: press the page’s main button'],
      ['e', 'Edit what’s shown'],
      ['r', 'Refresh; on a check or a run, run it again'],
      ['Ctrl+S ⌘S', 'Save the form'],
      ['Esc', 'Clear the search box, or close what’s open'],
      ['Tab', 'Move focus; the first stop on every page skips to the content'],
    ],
  },
  {
    title: 'Health board',
    path: '/health',
    keys: [
      ['j k', 'Go to the rows; next and previous row'],
      ['↑ ↓', 'Next and previous row'],
      ['← →', 'Collapse and expand a group'],
      ['Enter', 'Open the check'],
      ['.', 'Pause and resume'],
    ],
  },
  {
    title: 'Lists',
    path: '',
    keys: [
      ['j k', 'Go to the rows; next and previous row'],
      ['↑ ↓', 'Next and previous row'],
      ['Home End', 'First and last row'],
      ['Enter', 'Open the row, or its details'],
      ['Shift+← →', 'On a header: make the column narrower or wider'],
    ],
  },
  {
    title: 'Incident',
    path: '/incidents/',
    keys: [
      ['↑ ↓', 'Next and previous hypothesis'],
      ['← →', 'Collapse and expand it'],
      ['Space', 'Show its details'],
      ['Enter F2', 'Edit its title'],
      ['n', 'Add a child hypothesis; with Shift, a sibling'],
      ['Alt+arrow', 'Move it'],
      ['Delete', 'Delete it'],
      ['Ctrl+Z', 'Undo your last edit; with Shift, redo it'],
      ['@', 'Mention someone in a comment'],
      ['Enter', 'Post the comment; with Shift, start a new line'],
    ],
  },
  {
    title: 'Topology',
    path: '/topology',
    keys: [
      ['f', 'Go one step closer to the failure, from the focused card or the worst one'],
      ['.', 'Pause and resume'],
      ['↑ ↓', 'In the panel: next and previous section'],
    ],
  },
  {
    title: 'Changes',
    path: '/catalog/',
    keys: [
      ['[ ]', 'In the details of a change: previous and next change'],
      ['← → ↑ ↓', 'In the swimlane: next mark, next lane'],
      ['+ -', 'In the swimlane: zoom around the mark'],
    ],
  },
  {
    title: 'Config items',
    path: '/catalog/',
    keys: [
      ['j k', 'In the content: next and previous line; with Shift, select them'],
      ['Space', 'In the content: select the line, or clear it'],
      ['← → ↑ ↓', 'In the graph: next card along an edge'],
      ['Enter', 'In the graph: open the card'],
    ],
  },
  {
    title: 'Charts',
    path: '',
    keys: [
      ['← →', 'Previous and next value; with Shift, select a range'],
      ['Enter', 'Zoom into the selected range'],
      ['Esc', 'Clear the selection'],
    ],
  },
  {
    title: 'What changed',
    path: '',
    keys: [
      ['w', 'On a check, incident, config item or change list: what may have caused it'],
      ['e', 'There: attach the selected one as evidence; the most likely by default'],
    ],
  },
  {
    title: 'Logs',
    path: '/logs',
    keys: [
      ['j k', 'Select the next or previous line; with Shift, extend the selection'],
      ['v', 'Show the selected line in context'],
      ['n', 'Next match; with Shift, the previous one'],
      ['f', 'Follow the end, or stop following'],
      ['.', 'Pause and resume'],
      ['Esc', 'Clear the selection'],
      ['← →', 'On a column edge: make it narrower or wider'],
    ],
  },
  {
    title: 'Wallboard',
    path: '/wall',
    keys: [
      ['f', 'Full screen'],
      ['← →', 'Previous page, next page'],
      ['.', 'Pause and resume the rotation'],
      ['j', 'Jump to the latest failure'],
      ['Esc', 'Back to the rotation'],
      ['?', 'Show these keys'],
      ['/', 'Choose what is shown'],
    ],
  },
]

/** How much of the address a group is about; less than nothing when it is about other pages. */
const closeness = ({ path }: KeyGroup, pathname: string): number => (pathname.startsWith(path) ? path.length : -1)

/** Every key of the product, those of the page first. */
export function KeyGroups({ pathname }: { pathname: string }) {
  return (
    <div className={styles['keys']}>
      {GROUPS.toSorted((a, b) => closeness(b, pathname) - closeness(a, pathname)).map(({ title, keys }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <KeyList keys={keys} />
        </section>
      ))}
    </div>
  )
}
