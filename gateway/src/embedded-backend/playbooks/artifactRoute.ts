import { PLAYBOOK_ROUTES } from '@watchroom/shared/access'

import { defineBackendRoute } from '../server/backendPolicy.ts'
import { IdSchema, type PlaybookRoutesDeps, refuse } from './requests.ts'

interface FileRow {
  readonly filename: string
  readonly content: Buffer | null
}

/** Files that steps left. They are saved, never shown: whoever wrote them, nothing in them runs in a page of ours. */
export function artifactRoute({ context }: PlaybookRoutesDeps) {
  return {
    artifact: defineBackendRoute({
      rule: PLAYBOOK_ROUTES.artifact,
      params: IdSchema,
      response: 'own',
      handle: async ({ params: { id }, reply }) => {
        const { rows } = await context.pool.query<FileRow>(
          `select filename, content from artifacts
           left join watchroom_internal.artifact_contents on artifact_id = artifacts.id
           where artifacts.id = $1 and playbook_run_action_id is not null and deleted_at is null`,
          [id],
        )
        const [file] = rows
        if (!file) throw refuse(404, `artifact(id=${id}) not found`)
        if (file.content === null) throw refuse(404, 'the agent has not sent the content of this file yet')
        return reply
          .header('content-type', 'application/octet-stream')
          .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file.filename)}`)
          .send(file.content)
      },
    }),
  }
}
