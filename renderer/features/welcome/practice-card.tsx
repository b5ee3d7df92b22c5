import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import panelStyles from '../../kit/layout/panel.module.css'
import { LateFailureNote } from '../../parts/late-failure.tsx'
import partsStyles from '../../parts/parts.module.css'
import { appText } from '../../text/en/app.en.tsx'
import styles from './welcome.module.css'

const promises = [appText.practiceNoMoney, appText.practiceBalance, appText.practiceForBots] as const

/** Starts practice mode: one click creates a whole exchange on this computer. */
export function PracticeCard() {
  const start = useIpcCommand('practice.start')
  const unavailable = useIpcQuery('practice.status', {}).data?.unavailable ?? null
  const failure = start.error === null ? unavailable : failureOf(start.error)
  const navigate = useNavigate()
  return (
    <section className={cx(panelStyles.panel, styles.practice)} aria-labelledby="practice-title">
      <PracticeScene />
      <div className={styles.practiceBody}>
        <h2 id="practice-title">{appText.practiceTitle}</h2>
        <p>{appText.practiceLead}</p>
        <ul>
          {promises.map((promise) => (
            <li key={promise}>
              <Icon name="check" size={14} />
              {promise}
            </li>
          ))}
        </ul>
        {failure === null ? null : (
          <div className={styles.practiceFailure}>
            <LateFailureNote failure={failure} />
          </div>
        )}
        <Button
          size="lg"
          disabled={unavailable !== null}
          block
          className={styles.go}
          icon="play"
          busy={start.isPending}
          onClick={() => {
            // Navigate before creating the profile: the window may reload once the profile exists, and a reload keeps the address. So the pairing code
            // appears with or without a reload.
            navigate('connect')
            start.mutate({})
          }}
        >
          {start.isPending ? appText.practiceStarting : start.error === null || unavailable !== null ? appText.startPractice : appText.tryAgain}
        </Button>
      </div>
    </section>
  )
}

/** Shown in practice mode: a simulated phone that scans the pairing code when the user clicks. */
export function PracticePhoneCard({ uri }: { readonly uri: string | null }) {
  const pair = useIpcCommand('practice.pair')
  const show = useIpcCommand('practice.showPhone')
  const scan = () => {
    if (uri === null) return
    show.mutate({})
    pair.mutate({ uri })
  }
  return (
    <section className={cx(panelStyles.panel, styles.practice)} aria-labelledby="practice-phone-title">
      <PracticeScene />
      <div className={styles.practiceBody}>
        <h2 id="practice-phone-title">{appText.practicePhoneTitle}</h2>
        <p>{appText.practicePhoneLead}</p>
        <ul>
          {[appText.phoneBalance, appText.phoneAsksYou, appText.phonePairsHere].map((promise) => (
            <li key={promise}>
              <Icon name="check" size={14} />
              {promise}
            </li>
          ))}
        </ul>
        {pair.error === null ? null : (
          <div className={styles.practiceFailure}>
            <LateFailureNote failure={failureOf(pair.error)} />
          </div>
        )}
        <Button size="lg" block className={styles.go} icon="phone" busy={pair.isPending} disabled={uri === null} onClick={scan}>
          {appText.scanWithPhone}
        </Button>
        {pair.isSuccess ? (
          <p className={styles.practiceNext} role="status">
            {appText.pressOnPhone(<b>{appText.approve}</b>)}
          </p>
        ) : null}
      </div>
    </section>
  )
}

const up = [
  [48.5, 126, 18],
  [84.5, 106, 22],
  [120.5, 90, 22],
  [138.5, 82, 14],
  [174.5, 72, 26],
  [192.5, 61, 16],
] as const
const down = [
  [66.5, 114, 16],
  [102.5, 108, 16],
  [156.5, 92, 20],
  [210.5, 66, 16],
] as const
const lines = [
  [66, 54, 8],
  [80, 40, 6],
  [92, 46, 6],
  [104, 34, 6],
] as const

/** A drawing that explains practice mode: a window with a price chart, and a phone that approves. */
function PracticeScene() {
  return (
    <div className={styles.practiceTop}>
      <span className={partsStyles.bandTag}>
        <Icon name="flask" size={14} />
        {appText.practice}
      </span>
      <svg className={styles.scene} viewBox="0 0 360 168" aria-hidden="true">
        <g className={styles.sceneWindow}>
          <rect x="28" y="22" width="214" height="160" rx="8" />
          <path d="M28 42h214" />
        </g>
        <g className={styles.sceneDots}>
          <circle cx="40" cy="32" r="2.5" />
          <circle cx="49" cy="32" r="2.5" />
          <circle cx="58" cy="32" r="2.5" />
        </g>
        <g className={styles.sceneWick}>
          <path d="M52 118v34M70 108v30M88 98v40M106 104v26M124 84v36M142 78v26M160 86v34M178 66v38M196 56v30M214 62v26" />
        </g>
        <g className={styles.sceneUp}>
          {up.map(([x, y, height]) => (
            <rect key={x} x={x} y={y} width="7" height={height} rx="1" />
          ))}
        </g>
        <g className={styles.sceneDown}>
          {down.map(([x, y, height]) => (
            <rect key={x} x={x} y={y} width="7" height={height} rx="1" />
          ))}
        </g>
        <g className={styles.scenePhone}>
          <rect x="258" y="46" width="74" height="130" rx="14" />
        </g>
        <g className={styles.sceneIn}>
          {lines.map(([y, width, height]) => (
            <rect key={y} x="268" y={y} width={width} height={height} rx="3" />
          ))}
        </g>
        <g className={styles.sceneOk}>
          <rect x="296" y="130" width="28" height="16" rx="5" />
          <path d="m305.5 138 3 3 6-6" />
        </g>
        <g className={styles.sceneNo}>
          <rect x="266" y="130" width="26" height="16" rx="5" />
        </g>
      </svg>
    </div>
  )
}
