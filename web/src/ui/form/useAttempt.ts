import { useState } from 'react'
import { flushSync } from 'react-dom'

/**
 * Whether saving was tried, for forms that know what is wrong by other means than a schema of their fields. A field that
 * nobody has come to yet is not wrong yet.
 *
 * @returns `attempt` shows what is wrong at once, so that it can be gone to
 */
export function useAttempt(): { readonly wasTried: boolean; readonly attempt: () => void } {
  const [wasTried, setTried] = useState(false)
  return { wasTried, attempt: () => flushSync(() => setTried(true)) }
}
