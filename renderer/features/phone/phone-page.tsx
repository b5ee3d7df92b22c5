import { Fragment, useId, useLayoutEffect, useState } from 'react'
import { formatDecimal } from '../../../shared/decimal.ts'
import type { PhoneRequest, PhoneState } from '../../../shared/ipc/host/wallet.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon, type IconName, Logo } from '../../kit/icons/icon.tsx'
import { Identicon } from '../../kit/icons/identicon.tsx'
import { TabPanel, Tabs } from '../../kit/layout/tabs.tsx'
import { Side } from '../../kit/market-marks.tsx'
import textStyles from '../../kit/text.module.css'
import { CountdownRing } from '../../kit/time/countdown-ring.tsx'
import { minuteOfDay, titleTime, useNow, type WindowClock } from '../../kit/time/time.tsx'
import { AddressText, WholeHex, WholeValue } from '../../parts/line-value.tsx'
import { digestGroups } from '../../signing/parts/phone-checks.ts'
import { partsText } from '../../text/en/parts.en.tsx'
import { failureText } from '../../text/failure-text.ts'
import styles from './phone.module.css'

/**
 * The most by which the window's clock may differ from the main process's clock without a correction, in ms. A smaller difference may only be the
 * delay of the call.
 */
const onItsWayMs = 500

/**
 * The practice phone: a simulated wallet. It decodes each signing request separately from the app, and answers only when the user presses a button.
 */
export function PhonePage({ clock }: { readonly clock: WindowClock }) {
  const state = useIpcQuery('phone.state', {}, { every: 400 })
  const now = useNow()
  const phone = state.data
  const toldMs = phone?.nowMs
  useLayoutEffect(() => {
    if (toldMs !== undefined && Math.abs(toldMs - clock.now()) > onItsWayMs) clock.setOffset(clock.offset() + toldMs - clock.now())
  }, [clock, toldMs])
  const request = phone?.requests.find((one) => one.expiresAtMs > now) ?? null
  return (
    <div className={styles.phone}>
      <div className={styles.statusBar} aria-hidden="true">
        <span>{minuteOfDay(now)}</span>
        <span className={styles.island} />
        <span className={styles.statusIcons}>
          <svg viewBox="0 0 18 12" aria-hidden="true">
            <rect x="0" y="8" width="3" height="4" rx="1" />
            <rect x="5" y="5.5" width="3" height="6.5" rx="1" />
            <rect x="10" y="3" width="3" height="9" rx="1" />
            <rect x="15" y="0" width="3" height="12" rx="1" />
          </svg>
          <span className={styles.battery}>
            <i />
          </span>
        </span>
      </div>
      <header>
        <p className={styles.tape}>
          <Icon name="flask" size={14} />
          <b>{partsText.practiceWallet}</b>
          <span>{partsText.playMoneyOnly}</span>
        </p>
        <div className={styles.accountBar}>
          {phone === undefined ? (
            <span className={styles.account} />
          ) : (
            <>
              <span className={styles.account}>
                <Identicon address={phone.address} size={32} />
                <span>
                  <b>{partsText.main}</b>
                  <WholeHex hex={phone.address} />
                </span>
              </span>
              <span className={phone.relay === 'up' ? styles.net : cx(styles.net, styles.off)}>
                <i />
                {phone.relay === 'down' ? partsText.noRelay : phone.chainId === 8453 ? partsText.baseLocal : partsText.chain(phone.chainId)}
              </span>
            </>
          )}
        </div>
      </header>
      {phone === undefined ? (
        <main aria-busy="true">
          <h1 className={textStyles.screenReaderOnly}>{partsText.practiceWallet}</h1>
          {state.error === null ? null : <p className={styles.phoneNone}>{partsText.practiceWalletSilent}</p>}
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
  approved: { icon: 'check', word: partsText.approved },
  rejected: { icon: 'x', word: partsText.rejected },
  expired: { icon: 'hourglass', word: partsText.expired },
  failed: { icon: 'stop', word: partsText.failed },
}

function Home({ phone }: { readonly phone: PhoneState }) {
  const [all, setAll] = useState(false)
  const paired = phone.sessions.length > 0
  const recent = all ? phone.recent : phone.recent.slice(0, 5)
  return (
    <main className={styles.phoneHome}>
      <h1 className={textStyles.screenReaderOnly}>{partsText.practiceWallet}</h1>
      <section className={styles.summary} aria-label={partsText.balance}>
        <p className={styles.at}>{partsText.playMoney}</p>
        <p className={styles.amount}>
          {formatDecimal(phone.usdc, { decimals: 2 })} <span>{partsText.usdc}</span>
        </p>
        <p className={styles.at}>{paired ? partsText.pairedWith(phone.sessions.map((session) => session.peerName).join(', ')) : partsText.notPaired}</p>
      </section>
      <p className={styles.phoneWait} role="status">
        <Icon name={paired ? 'shield-check' : 'link'} size={20} />
        {paired ? partsText.nothingToApprove : partsText.scanToPair}
      </p>
      {recent.length === 0 ? null : (
        <section className={styles.phoneRecent} aria-labelledby="recent">
          <h2 id="recent">{partsText.recent}</h2>
          <ul>
            {recent.map((one) => (
              <li key={one.id}>
                <Icon name={outcomes[one.outcome].icon} className={styles[one.outcome]} />
                <span className={cx(textStyles.grow, textStyles.cut)}>{one.title}</span>
                <span className={textStyles.muted} title={titleTime(one.atMs)}>
                  {outcomes[one.outcome].word}
                </span>
              </li>
            ))}
          </ul>
          {phone.recent.length > 5 ? (
            <button type="button" className={textStyles.link} onClick={() => setAll(!all)}>
              {all ? partsText.showFewer : partsText.showAll(phone.recent.length)}
            </button>
          ) : null}
        </section>
      )}
    </main>
  )
}

const questions: Readonly<Record<PhoneRequest['kind'], (app: string) => string>> = {
  pairing: partsText.wantsToConnect,
  message: partsText.asksToSign,
  typed_data: partsText.asksToSign,
  transaction: partsText.asksToSend,
  switch_chain: partsText.asksToSwitch,
}

/** A line of text such as "Long BTC-PERP". A leading "Long" or "Short" is drawn with its arrow; other text stays unchanged. */
function Line({ text }: { readonly text: string }) {
  const side = /^(Long|Short)\b\s*(.*)$/i.exec(text)
  if (side === null) {
    return (
      <span className={textStyles.name}>
        <AddressText text={text} picture={false} />
      </span>
    )
  }
  return (
    <>
      <Side side={side[1]?.toLowerCase() === 'short' ? 'short' : 'long'} />
      <span className={textStyles.name}>{side[2]}</span>
    </>
  )
}

/** A large amount such as "25,000.00 USDC". The unit is drawn smaller than the number. */
function Big({ text }: { readonly text: string }) {
  const amount = /^([+−-]?[\d,.]+)\s+(\S+)$/.exec(text)
  if (amount === null) return <AddressText text={text} picture={false} />
  return (
    <>
      {amount[1]} <span>{amount[2]}</span>
    </>
  )
}

/** A whole digest in groups of eight digits, as the signing sheet and a hardware wallet show it. The first and last group are bold. */
function Digest({ digest }: { readonly digest: string }) {
  const groups = digestGroups(digest)
  return (
    <p className={styles.digest}>
      <span>{partsText.digest}</span>
      <code>
        {groups.map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a group has no identity but its place
          <Fragment key={index}>
            {index === 0 ? null : ' '}
            {index === 0 || index === groups.length - 1 ? <b>{group}</b> : group}
          </Fragment>
        ))}
      </code>
    </p>
  )
}

function RawMessage({ request }: { readonly request: PhoneRequest }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={styles.raw} aria-label={partsText.rawMessage} tabIndex={0}>
      {request.message ?? request.raw}
    </section>
  )
}

/** One request on the practice phone: its decoded content, the raw message, the digest, and the buttons to approve or reject. */
function PhoneRequestCard({ request, more }: { readonly request: PhoneRequest; readonly more: number }) {
  const id = useId()
  const approve = useIpcCommand('phone.approve')
  const reject = useIpcCommand('phone.reject')
  const [tab, setTab] = useState<'fields' | 'raw'>(request.fields.length > 0 ? 'fields' : 'raw')
  const busy = approve.isPending || reject.isPending || approve.isSuccess || reject.isSuccess
  const [first = '', second, ...others] = request.headline
  const failed = approve.error ?? reject.error
  return (
    <>
      <main>
        <div className={styles.from}>
          <span className={styles.flow}>
            <Logo />
          </span>
          <div className={textStyles.grow}>
            <h1>{questions[request.kind](request.peerName)}</h1>
            <p>{request.kind === 'pairing' ? request.peerUrl : partsText.pairedOnThisComputer}</p>
          </div>
          <CountdownRing untilMs={request.expiresAtMs} totalMs={request.expiresAtMs - request.atMs} />
        </div>
        {request.headline.length === 0 ? null : (
          <section className={styles.summary} aria-label={partsText.summary}>
            <p className={styles.summaryOne}>
              <Line text={first} />
            </p>
            {second === undefined ? null : (
              <p className={/^[+−-]?[\d,.]+\s+\S+$/.test(second) ? styles.amount : styles.at}>
                <Big text={second} />
              </p>
            )}
            {others.map((line) => (
              <p className={styles.at} key={line}>
                <AddressText text={line} picture={false} />
              </p>
            ))}
          </section>
        )}
        {request.fields.length === 0 ? (
          <RawMessage request={request} />
        ) : (
          <>
            <Tabs
              id={id}
              label={partsText.view}
              look="segments"
              value={tab}
              onChange={setTab}
              tabs={[
                { value: 'fields', label: partsText.fieldCount(request.fields.length) },
                { value: 'raw', label: partsText.rawMessage },
              ]}
            />
            <TabPanel id={id} value={tab} className={styles.fieldsPane}>
              {tab === 'fields' ? (
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
                <section className={styles.fields} aria-label={partsText.fieldCount(request.fields.length)} tabIndex={0}>
                  <dl>
                    {request.fields.map((field) => (
                      <div key={field.name}>
                        <dt>{field.name}</dt>
                        <dd title={field.raw}>
                          <WholeValue text={field.text} />
                          {field.raw === field.text || field.raw.length > 24 ? null : <code>{field.raw}</code>}
                        </dd>
                      </div>
                    ))}
                  </dl>
                </section>
              ) : (
                <RawMessage request={request} />
              )}
            </TabPanel>
          </>
        )}
      </main>
      <footer>
        {request.digest === null ? null : <Digest digest={request.digest} />}
        {failed === null ? null : (
          <p className={styles.phoneFailed} role="alert">
            {failureText(failureOf(failed)).title}
          </p>
        )}
        <div className={styles.two}>
          <Button busy={reject.isPending} disabled={busy && !reject.isPending} onClick={() => reject.mutate({ id: request.id })}>
            {partsText.reject}
          </Button>
          <Button variant="primary" busy={approve.isPending} disabled={busy && !approve.isPending} onClick={() => approve.mutate({ id: request.id })}>
            {approve.isPending ? null : <Icon name="check" />}
            {partsText.approve}
          </Button>
        </div>
        {more > 0 ? <p className={styles.phoneMore}>{partsText.moreWaiting(more)}</p> : null}
        <span className={styles.home} aria-hidden="true" />
      </footer>
    </>
  )
}
