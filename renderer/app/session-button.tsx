import { hour, minute } from '../../shared/time.ts'
import { useDeskCommand, useDeskQuery } from '../ipc/use-desk.ts'
import { Icon } from '../kit/icons/icon.tsx'
import { Menu } from '../kit/overlay/menu.tsx'
import { Ring } from '../kit/time/countdown-ring.tsx'
import { useNow } from '../kit/time/now.tsx'
import { durationText, exactTime, fineDurationText } from '../kit/time/time-text.ts'
import { useConnectedWallet } from '../signing/wallet/wallet-provider.tsx'
import { useShell } from './shell.tsx'

/** A sign-in lives four hours. */
const lifeMs = 4 * hour
const nearMs = 30 * minute

/** `3 h 59 min`, and below an hour `24 min`: nobody needs the seconds of a sign-in. */
const leftText = (ms: number): string => (ms < hour ? durationText(ms) : fineDurationText(ms))

/** How long the sign-in still lasts, and the way to a new one. */
export function SessionButton() {
  // Main tells by itself when a sign-in begins, nears its end or ends.
  const status = useDeskQuery('session.status', {})
  const end = useDeskCommand('session.end')
  const show = useShell((state) => state.show)
  const wallet = useConnectedWallet()
  const now = useNow(minute / 6)
  const expires = status.data?.expiresAtMs ?? null
  if (wallet === null) return null
  const signedIn = (status.data?.state === 'active' || status.data?.state === 'ending') && expires !== null
  if (!signedIn) {
    return (
      <button type="button" className="session" onClick={() => show('sign-in')}>
        <Icon name="user" />
        <span>{status.data?.state === 'ended' ? 'Sign-in ended' : 'Sign in'}</span>
      </button>
    )
  }
  const left = Math.max(0, expires - now)
  const near = left < nearMs
  return (
    <Menu
      label="Sign-in"
      align="end"
      entries={[
        { type: 'heading', label: `Ends ${exactTime(expires)}` },
        { label: 'Sign in again', icon: 'refresh', onSelect: () => show('sign-in') },
        { type: 'separator' },
        { label: 'Sign out', icon: 'x', onSelect: () => end.mutate({}) },
      ]}
      trigger={(props) => (
        <button type="button" className={near ? 'session warn' : 'session'} aria-label={`Signed in, ends in ${leftText(left)}`} {...props}>
          <Ring share={left / lifeMs} size={16} warn={near} />
          <span>Sign-in</span>
          <b>{leftText(left)}</b>
        </button>
      )}
    />
  )
}
