interface LogoProps {
  /** Pixels. */
  size?: number
}

/** The mark: a pulse that steps up once it has been seen. Decorative; the name stands beside it. */
export function Logo({ size = 28 }: LogoProps) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden className="wr-logo">
      <rect width="32" height="32" rx="8" fill="#0e6e6b" />
      <path
        d="M5.5 16h5l2.6-6.6 4.6 13.6 3-7h5.8"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
