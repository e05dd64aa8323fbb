import { EmptyState } from './EmptyState.tsx'

interface NotFoundProps {
  /** What the address names, in lower case: `check`. */
  noun: string
  /** Default: the words of the specifications. */
  title?: string
}

/** In place of a row that the address names and nobody has. */
export const NotFound = ({ noun, title = 'Details not found' }: NotFoundProps) => (
  <EmptyState title={title}>{`There’s no ${noun} at this address. It may have been deleted permanently.`}</EmptyState>
)
