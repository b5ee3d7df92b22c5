import { useLayoutEffect, useState } from 'react'
import { formatDecimal } from '../../../shared/decimal.ts'
import type { PhoneState } from '../../../shared/ipc/host/phone.ts'
import { useDeskQuery } from '../../ipc/use-desk.ts'
import { Icon, type IconName } from '../../kit/icons/icon.tsx'
import { Identicon } from '../../kit/icons/identicon.tsx'
import { shorten } from '../../kit/short.ts'
import { useNow } from '../../kit/time/now.tsx'
import { exactTime, timeOfDay } from '../../kit/time/time-text.ts'
import type { WindowClock } from '../../kit/time/window-clock.ts'
import { PhoneRequestCard } from './phone-request.tsx'
import './phone.css'

/** How long a reading may have been on its way; a smaller difference is none. */
const onItsWayMs = 500

/** A wallet as it could be on a phone. It shows what it is asked to sign by its own reading of it, and nothing happens without its buttons. */
export function PhonePage({ clock }: { readonly clock: WindowClock }) {
  const state = useDeskQuery('phone.state', {}, { every: 400 })
  const now = useNow()
  const phone = state.data
  const toldMs = phone?.nowMs
  useLayoutEffect(() => {
    if (toldMs !== undefined && Math.abs(toldMs - clock.now()) > onItsWayMs) clock.setOffset(clock.offset() + toldMs - clock.now())
  }, [clock, toldMs])
  const request = phone?.requests.find((one) => one.expiresAtMs > now) ?? null
  return (
    <div className="ph">
      <div className="sb" aria-hidden="true">
        <span>{timeOfDay(now).slice(0, 5)}</span>
        <span className="isl" />
        <span className="sbi">
          <svg viewBox="0 0 18 12" aria-hidden="true">
            <rect x="0" y="8" width="3" height="4" rx="1" />
            <rect x="5" y="5.5" width="3" height="6.5" rx="1" />
            <rect x="10" y="3" width="3" height="9" rx="1" />
            <rect x="15" y="0" width="3" height="12" rx="1" />
          </svg>
          <span className="bat">
            <i />
          </span>
        </span>
      </div>
      <p className="tape">
        <Icon name="flask" size={14} />
        <b>Practice wallet</b>
        <span>play money only</span>
      </p>
      <header>
        {phone === undefined ? (
          <span className="acct" />
        ) : (
          <>
            <span className="acct">
              <Identicon address={phone.address} size={32} />
              <span>
                <b>Main</b>
                <code title={phone.address}>{shorten(phone.address)}</code>
              </span>
            </span>
            <span className={phone.relay === 'up' ? 'net' : 'net off'}>
              <i />
              {phone.relay === 'down' ? 'No relay' : phone.chainId === 8453 ? 'Base, local' : `Chain ${phone.chainId}`}
            </span>
          </>
        )}
      </header>
      {phone === undefined ? (
        <main aria-busy="true">
          {state.error === null ? null : <p className="ph-none">The practice wallet does not answer. Start practice again in the main window.</p>}
        </main>
      ) : request === null ? (
        <Home phone={phone} />
      ) : (
        <PhoneRequestCard key={request.id} request={request} more={phone.requests.length - 1} />
      )}
    </div>
  )
}

const outcomes: Readonly<Record<PhoneState['recent'][number]['outcome'], { readonly icon: IconName; readonly word: string }>> = {
  approved: { icon: 'check', word: 'Approved' },
  rejected: { icon: 'x', word: 'Rejected' },
  expired: { icon: 'hourglass', word: 'Ran out' },
  failed: { icon: 'stop', word: 'Failed' },
}

function Home({ phone }: { readonly phone: PhoneState }) {
  const [all, setAll] = useState(false)
  const paired = phone.sessions.length > 0
  const recent = all ? phone.recent : phone.recent.slice(0, 5)
  return (
    <main className="ph-home">
      <section className="sum" aria-label="Balance">
        <p className="at">Play money</p>
        <p className="amt">
          {formatDecimal(phone.usdc, { decimals: 2 })} <span>USDC</span>
        </p>
        <p className="at">{paired ? `Paired with ${phone.sessions.map((session) => session.peerName).join(', ')}` : 'Not paired with anything'}</p>
      </section>
      <p className="ph-wait" role="status">
        <Icon name={paired ? 'shield-check' : 'link'} size={20} />
        {paired ? 'Nothing to approve. What the app asks for shows here.' : 'Press “Scan with the practice phone” in the main window to pair.'}
      </p>
      {recent.length === 0 ? null : (
        <section className="ph-recent" aria-labelledby="recent">
          <h2 id="recent">Recent</h2>
          <ul>
            {recent.map((one) => (
              <li key={one.id}>
                <Icon name={outcomes[one.outcome].icon} className={one.outcome} />
                <span className="grow cut">{one.title}</span>
                <span className="muted" title={exactTime(one.atMs)}>
                  {outcomes[one.outcome].word}
                </span>
              </li>
            ))}
          </ul>
          {phone.recent.length > 5 ? (
            <button type="button" className="link" onClick={() => setAll(!all)}>
              {all ? 'Show fewer' : `Show all ${phone.recent.length}`}
            </button>
          ) : null}
        </section>
      )}
    </main>
  )
}
