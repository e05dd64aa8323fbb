import { Button, Tab, Tabs } from '@blueprintjs/core'
import { CollapseAll, ExpandAll, TakeAction } from '@blueprintjs/icons'
import { Link } from '@tanstack/react-router'
import type { IncidentStatus } from '@watchroom/shared/incidents'
import { type ReactNode, useEffect, useMemo, useState } from 'react'

import { usePeople } from '../../../api/people.ts'
import { cachePage } from '../../../collab/cachePage.ts'
import type { DocumentState, OpenParts, PresentPeer } from '../../../collab/contract.ts'
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
import { ROOM_PANELS, ROOM_TABS, type RoomPanel, type RoomSearch, RoomSearchSchema, type RoomTab } from '../search.ts'
import { HypothesisTree } from '../tree/HypothesisTree.tsx'
import { IncidentDetails } from './IncidentDetails.tsx'
import { RoomHeader } from './RoomHeader.tsx'
import { RoomSkeleton } from './RoomSkeleton.tsx'
import { SidePanel } from './SidePanel.tsx'
import { peopleIn, TabFaces } from './TabFaces.tsx'

import styles from '../incidentRoom.module.css'

/** The shared incident, once it can be shown. Inside `<IncidentRoomProvider>`. */
export function IncidentRoomView({ incidentId }: { incidentId: string }) {
  const state = useIncidentPart((room) => room.state)
  if (state === 'ready') return <OpenRoom incidentId={incidentId} />
  return (
    <>
      <PageHeader title="Incident" />
      <RejectedNews />
      <ClosedRoom state={state} />
    </>
  )
}

/** Why there is nothing to see, or not yet. */
function ClosedRoom({ state }: { state: Exclude<DocumentState, 'ready'> }) {
  const failure = useIncidentPart((room) => room.failure)
  switch (state) {
    case 'loading':
      if (failure === null) return <RoomSkeleton />
      return (
        <EmptyState title="This incident can’t be opened right now" action={<ToList />}>
          {failure}
        </EmptyState>
      )
    case 'notFound':
      return <IncidentNotFound />
    case 'denied':
      return (
        <EmptyState title="You can’t view this incident" action={<ToList />}>
          The server does not show it to you. Ask an administrator, under Settings, Users.
        </EmptyState>
      )
    case 'failed':
      return (
        <ErrorState
          title="Could not open the incident"
          message={failure ?? 'Try again later'}
          actions={
            <>
              <Button text="Reload the page" onClick={() => window.location.reload()} />
              <ToList />
            </>
          }
        />
      )
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
  const counts = {
    comments: useIncidentPart(({ view }) => view.comments.filter(isPresent).length),
    hypotheses: useIncidentPart(({ view }) => [...view.hypotheses.values()].filter(isPresent).length),
  }
  useLeadingScroll()
  useShownParts(search.tab, search.panel)
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
  const followScroll = useFollowedScroll(search.tab)
  useFollow((followed) => {
    switch (followed.kind) {
      case 'screen':
        return setSearch(toParts(followed.screen), { replace: true })
      case 'place':
        return showPlace(followed.entity)
      case 'scroll':
        return followScroll(followed)
    }
  })
  const handlePeer = (peer: PresentPeer): void => {
    if (peer.leading) return follow(peer.clientId)
    const place = (peer.editing ?? peer.viewing)?.entity
    if (place !== undefined) return showPlace(place)
    return setSearch({ tab: toParts(peer.screen ?? {}).tab ?? search.tab })
  }

  // Blueprint measures its line below the tabs only when one of their properties changes.
  const faces = useIncidentPart(({ peers }) => ROOM_TABS.map((tab) => peopleIn(peers, tab).length).join(' '))

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
              <Tab disabled={false} id="comments" title="Comments" data-faces={faces} {...counted(counts.comments)}>
                <TabFaces tab="comments" />
              </Tab>
              <Tab
                disabled={false}
                id="action-plan"
                title="Action Plan"
                data-faces={faces}
                {...counted(counts.hypotheses)}
              >
                <TabFaces tab="action-plan" />
              </Tab>
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
            <HypothesisTree incidentId={incidentId} areAllOpen={search.comments} target={target} />
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

/** What someone else has open, if this version has parts of these names. */
function toParts(open: Partial<OpenParts>): Partial<Pick<RoomSearch, 'tab' | 'panel'>> {
  const tab = ROOM_TABS.find((each) => each === open.tab)
  const panel = ROOM_PANELS.find((each) => each === open.panel)
  return { ...(tab && { tab }), ...(panel && { panel }) }
}

const isPresent = ({ removed }: { readonly removed: unknown }): boolean => removed === null

const counted = (count: number) => (count === 0 ? {} : { tagContent: count, tagProps: { round: true } })

interface TabPanelProps {
  readonly tab: RoomTab
  readonly current: RoomTab
  readonly children: ReactNode
}

/** The content of a tab, with the ids that Blueprint's tabs refer to. The inactive one is empty, so that it costs nothing. */
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

/** What a person must know before going on: no link, refused texts, news, who is followed. Each selects only its own part. */
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
  const followEnd = useIncidentPart((room) => room.followEnd)
  const link = useIncidentPart((room) => room.link)
  const followers = useIncidentPart((room) => room.followers)
  const peers = useIncidentPart((room) => room.peers)
  const self = useIncidentPart((room) => room.self)
  const follow = useIncidentPart((room) => room.follow)
  const lead = useIncidentPart((room) => room.lead)
  return (
    <FollowBanner
      following={following}
      followEnd={followEnd}
      followers={followers}
      peers={peers}
      self={self}
      follow={follow}
      lead={lead}
      link={link}
    />
  )
}

/** How far down the page is scrolled, 0 to 1. */
function scrollRatio(): number {
  const room = document.documentElement.scrollHeight - window.innerHeight
  return room <= 0 ? 0 : Math.min(1, Math.max(0, window.scrollY / room))
}

/** Announces the scroll position while others may follow. */
function useLeadingScroll(): void {
  const isLeading = useIncidentPart((room) => Boolean(room.self.leading))
  const lead = useIncidentPart((room) => room.lead)
  useEffect(() => {
    if (!isLeading) return undefined
    let last = scrollRatio()
    const handleScroll = (): void => {
      const ratio = scrollRatio()
      // Half a percent: less is not visible, and would mean a message per pixel.
      if (Math.abs(ratio - last) < 0.005) return
      last = ratio
      lead(true, ratio)
    }
    window.addEventListener('scroll', handleScroll, { passive: true })
    return () => window.removeEventListener('scroll', handleScroll)
  }, [isLeading, lead])
}

/** Scrolls like the followed peer, once the same tab is open here. */
function useFollowedScroll(
  tab: RoomTab,
): (scroll: { readonly ratio: number; readonly tab: string | undefined }) => void {
  const isFollowing = useIncidentPart((room) => room.following !== null)
  const [scroll, setScroll] = useState<{ readonly ratio: number; readonly tab: string | undefined } | null>(null)
  // Of whoever was followed before.
  if (!isFollowing && scroll !== null) setScroll(null)
  useEffect(() => {
    if (!isFollowing || scroll === null || (scroll.tab !== undefined && scroll.tab !== tab)) return
    window.scrollTo({ top: scroll.ratio * (document.documentElement.scrollHeight - window.innerHeight) })
  }, [isFollowing, scroll, tab])
  return setScroll
}

/** Tells others what is open here. A hypothesis counts as viewed only while the plan is open. */
function useShownParts(tab: RoomTab, panel: RoomPanel): void {
  const setPlace = useIncidentPart((room) => room.setPlace)
  const isLeading = useIncidentPart((room) => Boolean(room.self.leading))
  const lead = useIncidentPart((room) => room.lead)
  useEffect(() => {
    setPlace({ screen: { tab, panel } })
    // Where each begins, nobody scrolled yet.
    if (isLeading) lead(true, scrollRatio())
  }, [setPlace, lead, isLeading, tab, panel])
  useEffect(() => (tab === 'action-plan' ? () => setPlace({ viewing: null }) : undefined), [setPlace, tab])
}
