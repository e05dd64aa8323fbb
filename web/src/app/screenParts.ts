import type { CatalogPath } from './catalogParts.ts'
import { DOCS_PATH } from './links.ts'
import type { ScreenModule, ScreenPath } from './screens.ts'
import type { SettingsPath } from './settingsParts.ts'

/** The pages opened most must not wait for the table of all others, nor these for the table of the settings. */
type OtherPath = Exclude<ScreenPath, CatalogPath | SettingsPath | '/health' | '/topology' | '/catalog'>

/** What each of the other screens shows, by its path. */
export const SCREEN_PARTS: Readonly<Record<OtherPath, () => ScreenModule>> = {
  '/topology/$id': () => import('./TopologyPage.tsx').then(({ TopologyPage }) => ({ Screen: TopologyPage })),
  '/view/topology': () =>
    import('../features/topology/screens/CardScreen.tsx').then(({ CardScreen }) => ({ Screen: CardScreen })),
  '/view/topology/$id': () =>
    import('../features/topology/screens/SharedViewScreen.tsx').then(({ SharedViewScreen }) => ({
      Screen: SharedViewScreen,
    })),
  '/wall': () =>
    import('../features/wallboard/screens/WallScreen.tsx').then(({ WallScreen }) => ({ Screen: WallScreen })),
  '/wall/boards': () =>
    import('../features/wallboard/screens/BoardsScreen.tsx').then(({ BoardsScreen }) => ({ Screen: BoardsScreen })),
  '/wall/device': () =>
    import('../features/wallboard/screens/DeviceScreen.tsx').then(({ DeviceScreen }) => ({ Screen: DeviceScreen })),
  '/incidents': () =>
    import('../features/incident-list/screens/IncidentListScreen.tsx').then(({ IncidentListScreen }) => ({
      Screen: IncidentListScreen,
    })),
  '/incidents/$id': () =>
    import('./IncidentPage.tsx').then(({ IncidentPage }) => ({
      Screen: IncidentPage,
    })),
  '/logs': () => import('./LogsPage.tsx').then(({ LogsPage }) => ({ Screen: LogsPage })),
  '/playbooks': () =>
    import('../features/playbooks/screens/PlaybooksScreen.tsx').then(({ PlaybooksScreen }) => ({
      Screen: PlaybooksScreen,
    })),
  '/playbooks/new': () =>
    import('../features/playbooks/screens/NewPlaybookScreen.tsx').then(({ NewPlaybookScreen }) => ({
      Screen: NewPlaybookScreen,
    })),
  '/playbooks/$id': () =>
    import('../features/playbooks/screens/PlaybookScreen.tsx').then(({ PlaybookScreen }) => ({
      Screen: PlaybookScreen,
    })),
  '/playbooks/runs': () =>
    import('../features/playbooks/screens/PlaybookRunsScreen.tsx').then(({ PlaybookRunsScreen }) => ({
      Screen: PlaybookRunsScreen,
    })),
  '/playbooks/runs/$id': () =>
    import('./PlaybookRunPage.tsx').then(({ PlaybookRunPage }) => ({ Screen: PlaybookRunPage })),
  '/kubeconfig': () => import('./KubeconfigPage.tsx').then(({ KubeconfigPage }) => ({ Screen: KubeconfigPage })),
  [DOCS_PATH]: () =>
    import('../features/docs/screens/DocsScreen.tsx').then(({ DocsScreen }) => ({ Screen: DocsScreen })),
  '/login': () =>
    import('../features/sign-in/screens/LoginScreen.tsx').then(({ LoginScreen }) => ({ Screen: LoginScreen })),
  '/registration': () =>
    import('../features/sign-in/screens/RegistrationScreen.tsx').then(({ RegistrationScreen }) => ({
      Screen: RegistrationScreen,
    })),
  '/recovery': () =>
    import('../features/sign-in/screens/RecoveryScreen.tsx').then(({ RecoveryScreen }) => ({
      Screen: RecoveryScreen,
    })),
  '/verification': () =>
    import('../features/sign-in/screens/VerificationScreen.tsx').then(({ VerificationScreen }) => ({
      Screen: VerificationScreen,
    })),
  '/profile-settings': () =>
    import('../features/sign-in/screens/ProfileSettingsScreen.tsx').then(({ ProfileSettingsScreen }) => ({
      Screen: ProfileSettingsScreen,
    })),
  '/organizations': () =>
    import('../features/sign-in/screens/OrganizationsScreen.tsx').then(({ OrganizationsScreen }) => ({
      Screen: OrganizationsScreen,
    })),
  '/organizations/orgs-switched': () =>
    import('../features/sign-in/screens/OrganizationSwitchedScreen.tsx').then(({ OrganizationSwitchedScreen }) => ({
      Screen: OrganizationSwitchedScreen,
    })),
  '/auth-state-checker': () =>
    import('../features/sign-in/screens/AuthStateChecker.tsx').then(({ AuthStateChecker }) => ({
      Screen: AuthStateChecker,
    })),
  '/error': () =>
    import('../features/sign-in/screens/BadSessionScreen.tsx').then(({ BadSessionScreen }) => ({
      Screen: BadSessionScreen,
    })),
  '/error/$id': () =>
    import('../features/sign-in/screens/FlowErrorScreen.tsx').then(({ FlowErrorScreen }) => ({
      Screen: FlowErrorScreen,
    })),
}
