import { Button, Tab, Tabs } from '@blueprintjs/core'
import { CollapseAll, ExpandAll, TakeAction } from '@blueprintjs/icons'
import { Link } from '@tanstack/react-router'
import type { IncidentStatus } from '@watchroom/shared/incidents'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'

import { usePeople } from '../../../api/people.ts'
import { cachePage } from '../../../collab/cachePage.ts'
import type { DocumentState, PresentPeer } from '../../../collab/contract.ts'
import { FollowBanner } from '../../../collab/FollowBanner.tsx'
import { OfflineBanner } from '../../../collab/OfflineBanner.tsx'
import { RejectedTray } from '../../../collab/RejectedTray.tsx'
import { SinceYouLeft } from '../../../collab/SinceYouLeft.tsx'
import { useFollow } from '../../../collab/useFollow.ts'
import { useIncidentPart } from '../../../collab/useIncident.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { showErrorToast, showToast } from '../../../ui/toaster.ts'
import { useSearchState } from '../../../url/useSearchState.ts'
import { attempt } from '../attempt.ts'
import { Changelog } from '../changelog/Changelog.tsx'
import { CommentTimeline } from '../comments/CommentTimeline.tsx'
import { ContributingFactorsDialog } from '../dod/ContributingFactorsDialog.tsx'
import { DefinitionOfDone } from '../dod/DefinitionOfDone.tsx'
import { ROOM_TABS, RoomSearchSchema, type RoomTab } from '../search.ts'
import { HypothesisTree } from '../tree/HypothesisTree.tsx'
import { IncidentDetails } from './IncidentDetails.tsx'
import { RoomHeader } from './RoomHeader.tsx'
import { RoomSkeleton } from './RoomSkeleton.tsx'
import { SidePanel } from './SidePanel.tsx'

import styles from '../incidentRoom.module.css'

/** The shared incident, as far as it can be shown. Inside `<IncidentRoomProvider>`. */
export function IncidentRoomView({ incidentId }: { incidentId: string }) {
  const state = useIncidentPart((room) => room.state)
  if (state === 'ready') return <OpenRoom incidentId={incidentId} />
  return (
    <>
      <PageHeader title="Incident" />
      <ClosedRoom state={state} />
    </>
  )
}

/** Why there is nothing to see, or not yet. */
function ClosedRoom({ state }: { state: Exclude<DocumentState, 'ready'> }) {
  const failure = useIncidentPart((room) => room.failure)
  switch (state) {
    case 'loading':
      return <RoomSkeleton />
    case 'notFound':
      return <IncidentNotFound />
    case 'denied':
      return (
        <EmptyState title="You can’t view this incident" action={<ToList />}>
          Ask an administrator for a role that can.
        </EmptyState>
      )
    case 'failed':
      return <ErrorState title="Could not open the incident" message={failure ?? 'Try again later'} />
  }
}

export function IncidentNotFound() {
  return (
    <EmptyState icon={<TakeAction size={28} />} title="Incident not found" action={<ToList />}>
      It may have been deleted, or the address is incomplete.
    </EmptyState>
  )
}

function ToList() {
  return (
    <Link to="/incidents" className="bp6-button">
      All incidents
    </Link>
  )
}

function OpenRoom({ incidentId }: { incidentId: string }) {
  const [search, setSearch] = useSearchState(RoomSearchSchema)
  const edit = useIncidentPart((room) => room.edit)
  const follow = useIncidentPart((room) => room.follow)
  const [target, setTarget] = useState<{ hypothesisId: string } | null>(null)
  const [shownComment, setShownComment] = useState<{ commentId: string } | null>(null)
  const linked = useMemo(() => (search.comment === undefined ? null : { commentId: search.comment }), [search.comment])
  const [pendingStatus, setPendingStatus] = useState<'mitigated' | 'resolved' | null>(null)
  useLeadingScroll()
  useEffect(() => void cachePage(), [])

  const showPlace = (entity: string | undefined): void => {
    const [root, id] = entity?.split('/') ?? []
    if (root === 'comments') {
      setSearch({ tab: 'comments' }, { replace: true })
      return setShownComment(id === undefined ? null : { commentId: id })
    }
    if (root !== 'hypotheses' || id === undefined) return undefined
    setSearch({ tab: 'action-plan' }, { replace: true })
    return setTarget({ hypothesisId: id })
  }
  useFollow((place, ratio) => {
    if (place) return showPlace(place.entity)
    return window.scrollTo({ top: ratio * (document.documentElement.scrollHeight - window.innerHeight) })
  })
  const handlePeer = (peer: PresentPeer): void =>
    peer.leading ? follow(peer.clientId) : showPlace((peer.editing ?? peer.viewing)?.entity)

  const changeStatus = (status: IncidentStatus): void => {
    const refusal = attempt(() => edit.setStatus(status))
    if (refusal === null) showToast('Incident status updated successfully')
    else showErrorToast(`Incident status updated failed: ${refusal}`)
  }
  const handleStatus = (status: IncidentStatus): void => {
    if (status === 'mitigated' || status === 'resolved') setPendingStatus(status)
    else changeStatus(status)
  }

  return (
    <div className={styles['room']}>
      <RoomHeader incidentId={incidentId} onStatus={handleStatus} onChoosePeer={handlePeer} />
      <RoomNews onShow={showPlace} />
      <div className={styles['columns']}>
        <div className={styles['main']}>
          <div className={styles['tabs']}>
            <Tabs
              id="incident"
              selectedTabId={search.tab}
              onChange={(tab) => setSearch({ tab: ROOM_TABS.find((each) => each === tab) ?? 'comments' })}
            >
              <Tab disabled={false} id="comments" title="Comments" />
              <Tab disabled={false} id="action-plan" title="Action Plan" />
            </Tabs>
            {search.tab === 'action-plan' ? (
              <Button
                size="small"
                variant="minimal"
                icon={search.comments ? <CollapseAll size={14} /> : <ExpandAll size={14} />}
                text={search.comments ? 'Collapse All' : 'Expand All'}
                onClick={() => setSearch({ comments: !search.comments })}
              />
            ) : null}
          </div>
          <TabPanel tab="comments" current={search.tab}>
            <CommentTimeline
              incidentId={incidentId}
              target={shownComment ?? linked}
              onShowHypothesis={(id) => showPlace(`hypotheses/${id}`)}
            />
          </TabPanel>
          <TabPanel tab="action-plan" current={search.tab}>
            <HypothesisTree areAllOpen={search.comments} target={target} />
          </TabPanel>
        </div>
        <SidePanel
          open={search.panel}
          onOpen={(panel) => setSearch({ panel })}
          sections={[
            { key: 'details', title: 'Details', content: <IncidentDetails incidentId={incidentId} /> },
            {
              key: 'definition-of-done',
              title: 'Definition of done',
              content: <DefinitionOfDone incidentId={incidentId} />,
            },
            { key: 'changelog', title: 'Changelog', content: <Changelog incidentId={incidentId} /> },
          ]}
        />
      </div>
      {pendingStatus === null ? null : (
        <ContributingFactorsDialog status={pendingStatus} onClose={() => setPendingStatus(null)} />
      )}
    </div>
  )
}

interface TabPanelProps {
  readonly tab: RoomTab
  readonly current: RoomTab
  readonly children: ReactNode
}

/** What a tab shows; its ids are those that Blueprint's tabs point to. The other one is empty, so that it costs nothing. */
function TabPanel({ tab, current, children }: TabPanelProps) {
  return (
    <div
      role="tabpanel"
      id={`bp6-tab-panel_incident_${tab}`}
      aria-labelledby={`bp6-tab-title_incident_${tab}`}
      hidden={tab !== current}
    >
      {tab === current ? children : null}
    </div>
  )
}

interface RoomNewsProps {
  readonly onShow: (entity: string) => void
}

/** What a person has to know before they go on: no link, refused texts, news, who is followed. Each takes its own part. */
function RoomNews({ onShow }: RoomNewsProps) {
  return (
    <>
      <LinkNews />
      <RejectedNews />
      <MissedNews onShow={onShow} />
      <FollowNews />
    </>
  )
}

function LinkNews() {
  const isLongOffline = useIncidentPart((room) => room.isLongOffline)
  const save = useIncidentPart((room) => room.save)
  return <OfflineBanner isLongOffline={isLongOffline} save={save} />
}

function RejectedNews() {
  const rejected = useIncidentPart((room) => room.rejected)
  const dismiss = useIncidentPart((room) => room.dismiss)
  return <RejectedTray rejected={rejected} dismiss={dismiss} />
}

function MissedNews({ onShow }: RoomNewsProps) {
  const digest = useIncidentPart((room) => room.digest)
  const dismissDigest = useIncidentPart((room) => room.dismissDigest)
  const evidence = useIncidentPart((room) => room.view.evidence)
  const { nameOf } = usePeople()
  return (
    <SinceYouLeft
      digest={digest}
      dismissDigest={dismissDigest}
      nameOf={nameOf}
      onShow={(entry) => {
        const found = evidence.find(({ id }) => entry.kind === 'evidence' && id === entry.id)
        onShow(found ? `hypotheses/${found.hypothesis_id}` : `${entry.kind}/${entry.id}`)
      }}
    />
  )
}

function FollowNews() {
  const following = useIncidentPart((room) => room.following)
  const followers = useIncidentPart((room) => room.followers)
  const peers = useIncidentPart((room) => room.peers)
  const self = useIncidentPart((room) => room.self)
  const follow = useIncidentPart((room) => room.follow)
  const lead = useIncidentPart((room) => room.lead)
  return (
    <FollowBanner following={following} followers={followers} peers={peers} self={self} follow={follow} lead={lead} />
  )
}

/** Tells how far down the page is, as long as others may follow. */
function useLeadingScroll(): void {
  const isLeading = useIncidentPart((room) => Boolean(room.self.leading))
  const lead = useIncidentPart((room) => room.lead)
  const last = useRef(0)
  useEffect(() => {
    if (!isLeading) return undefined
    const handleScroll = (): void => {
      const room = document.documentElement.scrollHeight - window.innerHeight
      const ratio = room <= 0 ? 0 : Math.min(1, Math.max(0, window.scrollY / room))
      // Half a percent: less is not seen and would be a message for each pixel.
      if (Math.abs(ratio - last.current) < 0.005) return
      last.current = ratio
      lead(true, ratio)
    }
    window.addEventListener('scroll', handleScroll, { passive: true })
    return () => window.removeEventListener('scroll', handleScroll)
  }, [isLeading, lead])
}
