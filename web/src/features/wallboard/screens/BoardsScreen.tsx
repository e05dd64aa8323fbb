import { Button } from '@blueprintjs/core'
import { Desktop, Plus } from '@blueprintjs/icons'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { GATEWAY_ROUTES, mayUseRoute } from '@watchroom/shared/access'
import { checksTopic } from '@watchroom/shared/protocol'
import type { WallBoard, WallLink } from '@watchroom/shared/wall'
import { useState } from 'react'

import { wallKeys } from '../../../api/queryKeys.ts'
import { useSession } from '../../../api/session.tsx'
import { useTopic } from '../../../live/useTopic.ts'
import { ConfirmMutation } from '../../../ui/dialog/ConfirmMutation.tsx'
import { OpenedRow } from '../../../ui/dialog/OpenedRow.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { toGroupingText } from '../../../ui/GroupByOptions.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { QueryFailure } from '../../../ui/QueryFailure.tsx'
import { QueryStates } from '../../../ui/QueryStates.tsx'
import { showToast } from '../../../ui/toaster.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { BoardForm } from '../components/BoardForm.tsx'
import { BoardLinks } from '../components/BoardLinks.tsx'
import { describeFilter } from '../describeFilter.ts'
import { boardsQuery, linksQuery, removeBoardMutation } from '../queries.ts'
import { BoardsSearchSchema, toFilter, type WallSearch, WallSearchSchema } from '../search.ts'

import styles from '../wall.module.css'

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

  const all = boards.data ?? []
  const form = {
    rows,
    initial: { name: '', filter: toFilter(wall), groupBy: wall.groupBy },
    onClose: handleClose,
  }
  const add = may('createBoard') ? { text: 'New board', icon: <Plus />, onClick: () => setSearch({ new: true }) } : null
  return (
    <section className={styles['admin']}>
      <PageHeader title="Wallboards" action={add} />
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
      <QueryStates
        query={boards}
        what="the wallboards"
        skeleton={<LoadingSkeleton rows={3} label="Loading wallboards" />}
      >
        {(list) => (
          <BoardList
            boards={list}
            add={add}
            links={links.data ?? []}
            maySeeLinks={maySeeLinks}
            mayWrite={may('changeBoard')}
            onEdit={(id) => setSearch({ edit: id })}
          />
        )}
      </QueryStates>
      {maySeeLinks && links.isError ? <QueryFailure what="the links" query={links} /> : null}
      {add && edit !== undefined ? (
        <OpenedRow
          key={edit}
          query={{ ...boards, data: boards.data && (all.find(({ id }) => id === edit) ?? null) }}
          noun="wallboard"
          onClose={handleClose}
        >
          {(board) => <BoardForm {...form} board={board} />}
        </OpenedRow>
      ) : add && isNew ? (
        <BoardForm {...form} board={undefined} />
      ) : null}
    </section>
  )
}

interface BoardListProps {
  boards: readonly WallBoard[]
  /** Null for who may not. */
  add: { readonly text: string; readonly onClick: () => void } | null
  links: readonly WallLink[]
  maySeeLinks: boolean
  mayWrite: boolean
  onEdit: (id: string) => void
}

function BoardList({ boards, add, links, maySeeLinks, mayWrite, onEdit }: BoardListProps) {
  const [removed, setRemoved] = useState<WallBoard | null>(null)
  return (
    <>
      {boards.length === 0 ? (
        <EmptyState
          title="No saved boards yet"
          icon={<Desktop size={24} />}
          action={add ? <Button icon={<Plus />} text={add.text} onClick={add.onClick} /> : null}
        >
          {mayWrite
            ? 'Save one per screen: a team’s checks, a site’s, or everything that matters in the room.'
            : 'Anyone who can edit checks can save one per screen.'}
        </EmptyState>
      ) : (
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
                    <LinkButton to="/wall" search={{ boards: board.id }} text="Open" />
                    {mayWrite ? (
                      <>
                        <Button text="Edit" aria-label={`Edit ${board.name}`} onClick={() => onEdit(board.id)} />
                        <Button
                          className={`${styles['adminApart']}`}
                          variant="minimal"
                          intent="danger"
                          text="Delete"
                          aria-label={`Delete ${board.name}`}
                          onClick={() => setRemoved(board)}
                        />
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
      )}
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

interface RemoveBoardProps {
  board: WallBoard
  /** How many show it by a link. */
  screens: number
  onDone: () => void
}

function RemoveBoard({ board, screens, onDone }: RemoveBoardProps) {
  const queryClient = useQueryClient()
  const readAgain = () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: wallKeys.boards }),
      queryClient.invalidateQueries({ queryKey: wallKeys.links }),
    ])
  const removing = useMutation({
    ...removeBoardMutation,
    onSuccess: async () => {
      showToast(`${board.name} deleted`)
      await readAgain()
      onDone()
    },
    onError: readAgain,
  })
  return (
    <ConfirmMutation
      title={`Delete ${board.name}?`}
      action="Delete board"
      mutation={removing}
      onConfirm={() => removing.mutate(board.id)}
      onCancel={onDone}
    >
      {screens === 0
        ? 'Walls that show it will say it’s gone.'
        : `${screens === 1 ? 'One screen shows' : `${screens} screens show`} it by a link; ${screens === 1 ? 'it' : 'they'} will go dark within seconds.`}
    </ConfirmMutation>
  )
}
