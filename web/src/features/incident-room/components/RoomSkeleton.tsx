import { Pending } from '../../../ui/Pending.tsx'

/** The shape of a room whose document is on its way: header, comments, and the panel beside them. */
export function RoomSkeleton() {
  return (
    <output className="room room-skeleton wr-skeleton" aria-busy>
      <span className="wr-visually-hidden">Loading the incident</span>
      <span className="room-header" aria-hidden>
        <span className="room-header-line">
          <Pending letters={18} />
        </span>
        <span className="room-header-line room-skeleton-title">
          <Pending letters={36} />
        </span>
        <span className="room-header-facts">
          <Pending letters={8} />
          <Pending letters={12} />
          <Pending letters={16} />
        </span>
      </span>
      <span className="room-columns" aria-hidden>
        <span className="room-main">
          <span className="room-tabs room-skeleton-tabs">
            <Pending letters={24} />
          </span>
          <span className="room-timeline">
            {[64, 40, 52].map((letters) => (
              <span key={letters} className="room-comment">
                <span className="room-face" />
                <span>
                  <Pending letters={24} />
                  <br />
                  <Pending letters={letters} />
                </span>
              </span>
            ))}
          </span>
        </span>
        <span className="room-side">
          {[10, 18, 10].map((letters, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a bar has no identity but its place
            <span key={index} className="room-section room-skeleton-section">
              <Pending letters={letters} />
            </span>
          ))}
        </span>
      </span>
    </output>
  )
}
