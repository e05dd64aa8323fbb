import { ChangesScreen } from '../features/catalog-changes/screens/ChangesScreen.tsx'
import { ChangeActions } from './ChangeActions.tsx'

/** `/catalog/changes`: the changes, and what incidents bring to one. */
export function ChangesPage() {
  return <ChangesScreen renderActions={(change) => <ChangeActions change={change} />} />
}
