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
      ['Esc', 'Clear the search box, or close what is open'],
      ['Tab', 'Move on; the first stop of every page skips to its content'],
    ],
  },
  {
    title: 'Health board',
    path: '/health',
    keys: [
      ['j k', 'Go to the rows; next and previous row'],
      ['↑ ↓', 'Next and previous row'],
      ['← →', 'Close and open a group'],
      ['Enter', 'Open the check'],
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
      ['Shift+← →', 'On a heading: make its column narrower or wider'],
    ],
  },
  {
    title: 'Incident',
    path: '/incidents/',
    keys: [
      ['↑ ↓', 'Next and previous hypothesis'],
      ['← →', 'Close and open what is below it'],
      ['Space', 'Show its details'],
      ['Enter', 'Edit its title'],
      ['n', 'Add a hypothesis below it; with Shift beside it'],
      ['Alt+arrow', 'Move it'],
      ['Delete', 'Delete it'],
      ['Ctrl+Z', 'Take back your own last edit; with Shift do it again'],
      ['@', 'Mention someone in a comment'],
    ],
  },
  {
    title: 'Topology',
    path: '/topology',
    keys: [
      ['f', 'Go one step nearer to what failed: from the cards, or from the one in focus'],
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
    title: 'What changed',
    path: '',
    keys: [
      ['w', 'On a check, an incident, a config item or the changes: what may have led to it'],
      ['e', 'There: make the chosen one evidence; at first the most likely'],
    ],
  },
  {
    title: 'Logs',
    path: '/logs',
    keys: [
      ['j k', 'Mark the next and the previous line; with Shift more lines'],
      ['v', 'Show the marked line in context'],
      ['f', 'Follow the end, or stop'],
      ['.', 'Pause and resume'],
      ['Esc', 'Unmark the lines'],
      ['← →', 'On the edge of a column: make it narrower or wider'],
    ],
  },
  {
    title: 'Wallboard',
    path: '/wall',
    keys: [
      ['f', 'Full screen'],
      ['← →', 'Page before, page after'],
      ['.', 'Stop and go on turning pages'],
      ['j', 'Jump to what failed last'],
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
