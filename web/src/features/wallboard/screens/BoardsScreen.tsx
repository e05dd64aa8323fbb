import { Button, Classes } from '@blueprintjs/core'
import { Plus } from '@blueprintjs/icons'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { GATEWAY_ROUTES, mayUseRoute } from '@watchroom/shared/access'
import { checksTopic } from '@watchroom/shared/protocol'
import type { WallBoard, WallLink } from '@watchroom/shared/wall'
import { useState } from 'react'
import { z } from 'zod'

import { wallKeys } from '../../../api/queryKeys.ts'
import { errorText } from '../../../api/request.ts'
import { useSession } from '../../../api/session.tsx'
import { useTopic } from '../../../live/useTopic.ts'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { showErrorToast, showToast } from '../../../ui/toaster.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { BoardForm } from '../components/BoardForm.tsx'
import { BoardLinks } from '../components/BoardLinks.tsx'
import { toGroupingText } from '../components/GroupByOptions.tsx'
import { describeFilter } from '../describeFilter.ts'
import { boardsQuery, linksQuery, removeBoardMutation } from '../queries.ts'
import { toFilter, type WallSearch, WallSearchSchema } from '../search.ts'

import styles from '../wall.module.css'

type BoardsSearch = { new: boolean; edit?: string | undefined }

const BoardsSearchSchema: z.ZodType<BoardsSearch> = z.object({
  new: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .catch(false),
  edit: z.string().optional().catch(undefined),
})

const CLEARED: Partial<WallSearch> = { query: '', labels: '', namespace: undefined, groupBy: 'no-group' }

/** `/wall/boards`: saved wallboards, and the screens that may show them without an account. */
export function BoardsScreen() {
  const [{ new: isNew, edit }, setSearch] = useSearchState(BoardsSearchSchema)
  const [wall, setWall] = useSearchState(WallSearchSchema)
  const { roles } = useSession()
  const may = (route: keyof typeof GATEWAY_ROUTES): boolean => mayUseRoute(GATEWAY_ROUTES[route].access, roles)
  const maySeeLinks = may('listLinks')
  const boards = useQuery(boardsQuery)
  const links = useQuery({ ...linksQuery, enabled: maySeeLinks })
  const { rows } = useTopic(checksTopic, {})
  const handleClose = (): void => {
    setSearch({ new: false, edit: undefined }, { replace: true })
    setWall(CLEARED, { replace: true })
  }

  const edited = boards.data?.find(({ id }) => id === edit)
  const isFormOpen = may('createBoard') && (isNew || edited !== undefined)
  const all = boards.data ?? []
  return (
    <section className={styles['admin']}>
      <PageHeader
        title="Wallboards"
        controls={
          may('createBoard') && !isFormOpen ? (
            <CommandButton
              command="New board"
              icon={<Plus />}
              intent="primary"
              onClick={() => setSearch({ new: true })}
            />
          ) : null
        }
      />
      <p className={styles['adminIntro']}>
        A wallboard shows checks on an unattended screen. <Link to="/wall">Open the wall</Link> with every check
        {all.length > 1 ? (
          <>
            ,{' '}
            <Link to="/wall" search={{ boards: all.map(({ id }) => id).join(',') }}>
              all boards in turn
            </Link>
          </>
        ) : null}
        {all.length > 0 ? ', or one of these:' : '.'}
      </p>
      {isFormOpen ? (
        <BoardForm
          key={edited?.id ?? 'new'}
          rows={rows}
          board={edited}
          initial={{ name: '', filter: toFilter(wall), groupBy: wall.groupBy }}
          onClose={handleClose}
        />
      ) : null}
      <BoardList
        query={boards}
        hasForm={isFormOpen}
        links={links.data ?? []}
        maySeeLinks={maySeeLinks}
        mayWrite={may('changeBoard')}
        onEdit={(id) => setSearch({ edit: id, new: false })}
      />
      {maySeeLinks && links.isError ? (
        <ErrorState
          title="The links could not be loaded"
          message={errorText(links.error)}
          onRetry={() => void links.refetch()}
        />
      ) : null}
    </section>
  )
}

interface BoardListProps {
  query: { data?: WallBoard[] | undefined; isError: boolean; error: unknown; refetch: () => unknown }
  hasForm: boolean
  links: readonly WallLink[]
  maySeeLinks: boolean
  mayWrite: boolean
  onEdit: (id: string) => void
}

function BoardList({ query, hasForm, links, maySeeLinks, mayWrite, onEdit }: BoardListProps) {
  const [removed, setRemoved] = useState<WallBoard | null>(null)
  const boards = query.data
  if (boards === undefined) {
    return query.isError ? (
      <ErrorState
        title="The wallboards could not be loaded"
        message={errorText(query.error)}
        onRetry={() => void query.refetch()}
      />
    ) : (
      <LoadingSkeleton rows={3} label="Loading wallboards" />
    )
  }
  if (boards.length === 0 && !hasForm) {
    return (
      <EmptyState title="No saved boards yet">
        {mayWrite
          ? 'Save one per screen: a team’s checks, a site’s, or everything that matters in the room.'
          : 'Anyone who can edit checks can save one per screen.'}
      </EmptyState>
    )
  }
  return (
    <>
      <ul className={styles['adminList']} aria-label="Saved boards">
        {boards.map((board) => {
          const parts = describeFilter(board.filter)
          return (
            <li key={board.id} className={styles['adminBoard']}>
              <div className={styles['adminHead']}>
                <div>
                  <h2>{board.name}</h2>
                  <p className="wr-muted">
                    {parts.length === 0 ? 'All checks' : parts.join(' · ')}
                    {board.groupBy === 'no-group' ? '' : ` · grouped by ${toGroupingText(board.groupBy)}`}
                  </p>
                </div>
                <div className={styles['adminActions']}>
                  <Link className={Classes.BUTTON} to="/wall" search={{ boards: board.id }}>
                    Open
                  </Link>
                  {mayWrite ? (
                    <>
                      <Button text="Edit" aria-label={`Edit ${board.name}`} onClick={() => onEdit(board.id)} />
                      <Button text="Delete" aria-label={`Delete ${board.name}`} onClick={() => setRemoved(board)} />
                    </>
                  ) : null}
                </div>
              </div>
              {maySeeLinks ? (
                <BoardLinks board={board} links={links.filter(({ boardId }) => boardId === board.id)} />
              ) : null}
            </li>
          )
        })}
      </ul>
      {removed ? (
        <RemoveBoard
          board={removed}
          screens={links.filter(({ boardId, state }) => boardId === removed.id && state === 'active').length}
          onDone={() => setRemoved(null)}
        />
      ) : null}
    </>
  )
}

function RemoveBoard({ board, screens, onDone }: { board: WallBoard; screens: number; onDone: () => void }) {
  const queryClient = useQueryClient()
  const removing = useMutation({
    ...removeBoardMutation,
    onSuccess: () => showToast(`${board.name} deleted`),
    onError: (error) => showErrorToast(errorText(error)),
    onSettled: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: wallKeys.boards }),
        queryClient.invalidateQueries({ queryKey: wallKeys.links }),
      ])
      onDone()
    },
  })
  return (
    <ConfirmDialog
      title={`Delete ${board.name}?`}
      action="Delete board"
      isBusy={removing.isPending}
      onConfirm={() => removing.mutate(board.id)}
      onCancel={onDone}
    >
      {screens === 0
        ? 'Walls that show it will say it’s gone.'
        : `${screens === 1 ? 'One screen shows' : `${screens} screens show`} it by a link; ${screens === 1 ? 'it' : 'they'} will go dark within seconds.`}
    </ConfirmDialog>
  )
}
