import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest, longest first: one of them alone at the end would leave the other worker without work. */
const LONGEST = [
  'tests/fault/collab.test.ts',
  'tests/fault/embedded-backend.test.ts',
  'tests/fault/scrapes.test.ts',
  'tests/fault/collabBackend.test.ts',
  'tests/fault/notifications.test.ts',
  'tests/fault/playbooks.test.ts',
  'tests/security/withdrawn.integration.test.ts',
  'tests/security/shown.integration.test.ts',
  'tests/security/matrix.integration.test.ts',
  'tests/gateway/main.integration.test.ts',
  'tests/gateway/definition-of-done/definitionOfDone.integration.test.ts',
  'tests/gateway/agent/agent.integration.test.ts',
  'tests/gateway/embedded-backend/supervisor/supervisor.integration.test.ts',
  'tests/gateway/live/live.integration.test.ts',
  'tests/gateway/embedded-backend/agents/realAgents.integration.test.ts',
  'tests/gateway/embedded-backend/demo/prepareHealthData.integration.test.ts',
  'tests/gateway/embedded-backend/demo/largeEstate.integration.test.ts',
  'tests/security/sessions.integration.test.ts',
  'tests/gateway/hosted/hosted.integration.test.ts',
  'tests/gateway/embedded-backend/postgres/createPostgres.integration.test.ts',
  'tests/gateway/embedded-backend/catalog/families/parseApart.integration.test.ts',
  'tests/gateway/embedded-backend/playbooks/runner.integration.test.ts',
  'tests/gateway/embedded-backend/playbooks/routes.integration.test.ts',
  'tests/gateway/proxy/proxy.integration.test.ts',
  'tests/gateway/agent/steps.integration.test.ts',
  'tests/gateway/agent/plainUpstream.integration.test.ts',
  'tests/security/credentials.integration.test.ts',
  'tests/gateway/embedded-backend/demo/seedNotifications.integration.test.ts',
  'tests/gateway/embedded-backend/demo/seedPlaybooks.integration.test.ts',
  'tests/security/signIn.integration.test.ts',
  'tests/gateway/embedded-backend/checks/createHealthEngine.integration.test.ts',
  'tests/fuzz/incidentDocument.test.ts',
  'tests/shared/topology/createTopologyGraph.test.ts',
  'tests/shared/topology/history.test.ts',
  'tests/web/app/controls.test.tsx',
  'tests/web/app/App.test.tsx',
  'tests/web/features/canaries/screens/CanaryScreen.test.tsx',
]

/** The order of vitest, which goes by size where it has not seen a file before, behind what is known to take long. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(name))
      return place === -1 ? LONGEST.length : place
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- of vitest, not of an array
    const usual = await super.sort(files)
    return usual.toSorted((one, other) => rank(one) - rank(other))
  }
}
