import type { ReactNode } from 'react'
import { Icon, type IconName, Logo } from '../../kit/icons/icon.tsx'
import { shorten } from '../../kit/short.ts'
import { useNow } from '../../kit/time/now.tsx'
import { timeOfDay } from '../../kit/time/time-text.ts'
import type { PhoneCheck } from './phone-checks.ts'
import type { SigningMessage } from './signing-message.ts'

function Frame({ children }: { readonly children: ReactNode }) {
  const now = useNow(10_000)
  return (
    <div className="mini" aria-hidden="true">
      <div className="mini-in">
        <div className="mini-top">
          <span>{timeOfDay(now).slice(0, 5)}</span>
          <span className="mini-isl" />
          <span className="mini-bat" />
        </div>
        {children}
      </div>
    </div>
  )
}

/** What the phone is about to show, with the values to look for numbered. A picture: screen readers get the list beside it. */
export function PhonePicture({ checks, thing }: { readonly checks: readonly PhoneCheck[]; readonly thing: SigningMessage['thing'] }) {
  return (
    <Frame>
      <p className="mini-app">
        <Logo />
        <b>Svc Desk</b>
        <span className="muted">{thing === 'transaction' ? 'asks to send' : 'asks to sign'}</span>
      </p>
      <dl>
        {checks.map((check, index) => (
          <div className="hit" key={check.field}>
            <dt>{check.field}</dt>
            <dd>
              {check.code ? <span className="mono">{shorten(check.value)}</span> : check.value}
              <em>{index + 1}</em>
            </dd>
          </div>
        ))}
      </dl>
      <div className="mini-b">
        <span>Reject</span>
        <span className="yes">Approve</span>
      </div>
    </Frame>
  )
}

/** The phone once it has answered, or once it no longer matters. */
export function PhoneAnswer({ tone, icon, text }: { readonly tone: 'ok' | 'danger' | 'off'; readonly icon: IconName; readonly text: string }) {
  return (
    <Frame>
      <div className={`mini-done ${tone}`}>
        <span>
          <Icon name={icon} />
        </span>
        {text}
      </div>
    </Frame>
  )
}
