export { useSession } from '../api/session.tsx'
