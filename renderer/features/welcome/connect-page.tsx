import qrcode from 'qrcode-generator'
import { type ReactNode, useEffect, useMemo } from 'react'
import { useIpcQuery } from '../../ipc/use-ipc.ts'
import buttonStyles from '../../kit/button.module.css'
import { Button, IconButton } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon, type IconName, Logo } from '../../kit/icons/icon.tsx'
import { Link, useNavigate } from '../../kit/layout/navigation.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import textStyles from '../../kit/text.module.css'
import { CountdownRing, clockText } from '../../kit/time/countdown-ring.tsx'
import { useNow } from '../../kit/time/time.tsx'
import { ProjectIdForm } from '../../parts/project-id-form.tsx'
import { useWallet, useWalletActions } from '../../signing/wallet/wallet-provider.tsx'
import type { WalletStatus } from '../../signing/wallet/wallet-state.ts'
import { signInText } from '../../text/en/signIn.en.tsx'
import { PracticeCard, PracticePhoneCard } from './practice-card.tsx'
import styles from './welcome.module.css'
import { FirstFrame } from './welcome-page.tsx'

interface Trouble {
  readonly icon: IconName
  readonly title: string
  readonly text: string
}

/** The reason why there is no pairing code, for display in its place. `null` while there is a code or one is loading. */
function troubleOf(status: WalletStatus): Trouble | null {
  switch (status.kind) {
    case 'rejected':
      return { icon: 'x', title: signInText.walletRejected, text: signInText.walletRejectedHelp }
    case 'expired':
      return { icon: 'hourglass', title: signInText.codeExpired, text: signInText.codeExpiredHelp }
    case 'relay_unreachable':
      return {
        icon: 'relay',
        title: signInText.pairingRelayUnreachable,
        text: signInText.pairingRelayHelp,
      }
    case 'bad_project_id':
      return {
        icon: 'key',
        title: signInText.relayRejectsApp,
        text: signInText.relayRejectsAppHelp,
      }
    case 'failed':
      return { icon: 'stop', title: signInText.connectionFailed, text: status.detail }
    default:
      return null
  }
}

/** The pairing code with its countdown, or the reason why there is none. */
export function ConnectPanel() {
  const status = useWallet((state) => state.status)
  const relay = useWallet((state) => state.relay)
  const info = useIpcQuery('app.info', {})
  const { connect, switchChain } = useWalletActions()
  const navigate = useNavigate()
  const trouble = troubleOf(status)
  if (status.kind === 'wrong_chain') {
    return (
      <Shape picture={<Sign icon="swap" />} title={signInText.pairedOnOtherChain} lead={signInText.pairedOnOtherChainHelp}>
        <div className={styles.connectPanel}>
          <Button size="lg" variant="primary" icon="swap" onClick={() => void switchChain()}>
            {signInText.switchToBase}
          </Button>
          <Button size="lg" variant="ghost" onClick={() => navigate('overview')}>
            {signInText.continueAnyway}
          </Button>
        </div>
      </Shape>
    )
  }
  if (status.kind === 'bad_project_id' && trouble !== null) {
    return (
      <Shape picture={<Sign icon={trouble.icon} />} title={trouble.title} lead={trouble.text} alert>
        <ProjectIdForm large>
          {/* Without a project ID, another pairing code cannot work either. */}
          {info.data?.hasProjectId === true ? (
            <Button size="lg" variant="ghost" icon="refresh" onClick={() => void connect()}>
              {signInText.newCode}
            </Button>
          ) : null}
          <Link to="settings/wallet" className={textStyles.link}>
            {signInText.openSettings}
          </Link>
        </ProjectIdForm>
      </Shape>
    )
  }
  if (trouble !== null) {
    return (
      <Shape picture={<Sign icon={trouble.icon} />} title={trouble.title} lead={trouble.text} alert>
        <div className={styles.connectPanel}>
          <Button size="lg" variant="primary" icon="refresh" onClick={() => void connect()}>
            {signInText.newCode}
          </Button>
        </div>
      </Shape>
    )
  }
  const waiting = status.kind === 'waiting' ? status : null
  const restoring = status.kind === 'restoring'
  return (
    <Shape
      picture={
        waiting === null ? (
          <QrPlaceholder>
            <span className={cx(buttonStyles.spin, styles.bigSpin)} aria-hidden="true" />
          </QrPlaceholder>
        ) : (
          <QrCode text={waiting.uri} />
        )
      }
      title={signInText.connectYourWallet}
      lead={signInText.connectLead}
    >
      <ol>
        {[signInText.stepOpenWallet, signInText.stepScanCode, signInText.stepApprove].map((step, index) => (
          <li key={step}>
            <span aria-hidden="true">{index + 1}</span>
            {step}
          </li>
        ))}
      </ol>
      <div className={styles.connectPanel}>
        {waiting === null ? (
          <Button size="lg" icon="link" disabled>
            {signInText.copyLink}
          </Button>
        ) : (
          <CopyButton text={waiting.uri} what={signInText.pairingLink} words={signInText.copyLink} icon="link" size="lg" />
        )}
        <Button size="lg" variant="ghost" icon="refresh" onClick={() => void connect()}>
          {signInText.newCode}
        </Button>
      </div>
      {waiting === null ? (
        <p className={styles.wait} role="status">
          {restoring ? signInText.restoringConnection : signInText.creatingCode}
        </p>
      ) : relay === 'down' ? (
        <p className={styles.wait} role="status">
          <Icon name="relay" />
          {signInText.codeWaitsForRelay}
        </p>
      ) : (
        <Waiting waiting={waiting} />
      )}
    </Shape>
  )
}

function Waiting({ waiting }: { readonly waiting: Extract<WalletStatus, { kind: 'waiting' }> }) {
  const { expire } = useWalletActions()
  const now = useNow()
  return (
    <p className={styles.wait}>
      <CountdownRing untilMs={waiting.expiresAtMs} totalMs={waiting.expiresAtMs - waiting.startedAtMs} size={16} onEnd={expire} />
      <span>{signInText.waitingForWallet(<b>{clockText(waiting.expiresAtMs - now)}</b>)}</span>
    </p>
  )
}

function Sign({ icon }: { readonly icon: IconName }) {
  return (
    <QrPlaceholder>
      <Icon name={icon} className={styles.qrSign} />
    </QrPlaceholder>
  )
}

interface ShapeProps {
  readonly picture: ReactNode
  readonly title: string
  readonly lead: string
  readonly alert?: boolean
  readonly children: ReactNode
}

function Shape({ picture, title, lead, alert = false, children }: ShapeProps) {
  return (
    <section className={cx(panelStyles.panel, styles.connect)} aria-labelledby="connect-title">
      {picture}
      <div className={styles.connectText}>
        <div role={alert ? 'alert' : undefined}>
          <h1 id="connect-title">{title}</h1>
          <p className={styles.lead}>{lead}</p>
        </div>
        {children}
      </div>
    </section>
  )
}

const ink = '#101419'

/** A pairing code to scan. Always dark on a white background, because many scanners can't read light codes. */
function QrCode({ text }: { readonly text: string }) {
  const { size, path, eyes } = useMemo(() => qrShape(text), [text])
  return (
    <div className={styles.qrBox}>
      <svg
        className={styles.qr}
        width="228"
        height="228"
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={signInText.pairingCode}
        shapeRendering="crispEdges"
      >
        <path d={path} fill={ink} />
        <g shapeRendering="geometricPrecision">
          {eyes.map(([x, y]) => (
            <g key={`${x},${y}`}>
              <rect x={x + 0.5} y={y + 0.5} width="6" height="6" rx="1.6" fill="none" stroke={ink} strokeWidth="1" />
              <rect x={x + 2} y={y + 2} width="3" height="3" rx="0.9" fill={ink} />
            </g>
          ))}
        </g>
      </svg>
      <span className={styles.qrMark}>
        <Logo />
      </span>
    </div>
  )
}

/** A box of the same size in place of a missing code, with the reason. */
function QrPlaceholder({ children }: { readonly children: ReactNode }) {
  return <div className={cx(styles.qrBox, styles.isEmpty)}>{children}</div>
}

interface QrShape {
  /** The number of modules (squares) along an edge of the code. */
  readonly size: number
  /** The modules outside the three finder patterns (the squares in the corners), as one SVG path on a grid of modules. */
  readonly path: string
  /** The upper left corners of the three finder patterns (the squares in the corners). */
  readonly eyes: readonly (readonly [number, number])[]
}

const eye = 7

/**
 * The shape of a pairing code. The logo in the middle covers `holeShare` of the width, which is 4 % of the area.
 * The code stays readable, because error correction level M repairs up to 15 %.
 */
function qrShape(text: string, holeShare = 0.2): QrShape {
  const code = qrcode(0, 'M')
  code.addData(text)
  code.make()
  const size = code.getModuleCount()
  const far = size - eye
  const inEye = (x: number, y: number) => (x < eye && (y < eye || y >= far)) || (x >= far && y < eye)
  const half = (size * holeShare) / 2
  const inHole = (x: number, y: number) => Math.abs(x + 0.5 - size / 2) < half && Math.abs(y + 0.5 - size / 2) < half
  let path = ''
  for (let y = 0; y < size; y += 1) {
    for (let x = 0; x < size; x += 1) {
      if (!code.isDark(y, x) || inEye(x, y) || inHole(x, y)) continue
      let width = 1
      while (x + width < size && code.isDark(y, x + width) && !inEye(x + width, y) && !inHole(x + width, y)) width += 1
      path += `M${x} ${y}h${width}v1h-${width}z`
      x += width - 1
    }
  }
  return {
    size,
    path,
    eyes: [
      [0, 0],
      [far, 0],
      [0, far],
    ],
  }
}

/** Connects a wallet: shows a code to scan and, in practice mode, a phone that scans it. */
export function ConnectPage() {
  const list = useIpcQuery('profiles.list', {})
  const active = list.data?.profiles.find((profile) => profile.id === list.data.activeId)
  const status = useWallet((state) => state.status)
  const { connect } = useWalletActions()
  const navigate = useNavigate()
  const kind = status.kind

  useEffect(() => {
    if (kind === 'idle') void connect()
    if (kind === 'connected' || kind === 'refused') navigate('overview')
  }, [kind, connect, navigate])

  return (
    <FirstFrame
      topic="connect"
      end={
        <>
          {active === undefined ? null : (
            <span className={styles.firstHost} title={active.hostUrl ?? undefined}>
              <Icon name={active.kind === 'practice' ? 'flask' : 'server'} size={14} />
              <span className={textStyles.mono}>{(active.hostUrl ?? active.name).replace(/^https?:\/\//, '')}</span>
            </span>
          )}
          <Button variant="ghost" size="sm" icon="eye" onClick={() => navigate('overview')}>
            {signInText.lookAroundFirst}
          </Button>
          <IconButton icon="settings" label={signInText.settings} size="sm" onClick={() => navigate('settings')} />
        </>
      }
    >
      <ConnectPanel />
      {active?.kind === 'practice' ? <PracticePhoneCard uri={status.kind === 'waiting' ? status.uri : null} /> : <PracticeCard />}
    </FirstFrame>
  )
}
