import type { DoctorCheck } from '../../../../shared/ipc/keys/doctor.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { Chip } from '../../../kit/chip.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon, type IconName } from '../../../kit/icons/icon.tsx'
import { useNavigate } from '../../../kit/layout/navigation.tsx'
import { Panel } from '../../../kit/layout/panel.tsx'
import { Empty } from '../../../kit/layout/placeholders.tsx'
import tableStyles from '../../../kit/layout/table.module.css'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import partsStyles from '../../../parts/parts.module.css'
import { doctorConclusion, doctorFoundText, doctorTitles } from '../../../text/doctor-text.ts'
import { keysText } from '../../../text/en/keys.en.tsx'
import styles from '../key-detail.module.css'

const looks: Readonly<Record<DoctorCheck['verdict'], { readonly icon: IconName; readonly tone: string; readonly word: string }>> = {
  pass: { icon: 'check', tone: 'ok', word: keysText.passed },
  warn: { icon: 'warn', tone: 'warn', word: keysText.checkThis },
  fail: { icon: 'x', tone: 'bad', word: keysText.failed },
  skipped: { icon: 'more', tone: 'off', word: keysText.notTested },
}

/** The order of the test results: failures first, skipped tests last. Results with the same verdict stay in the order of the tests. */
const order: Readonly<Record<DoctorCheck['verdict'], number>> = { fail: 0, warn: 1, pass: 2, skipped: 3 }

function CheckRow({ check }: { readonly check: DoctorCheck }) {
  const { icon, tone, word } = looks[check.verdict]
  return (
    <li className={styles[check.verdict]}>
      <span className={cx(styles.checkMark, styles[tone])}>
        <Icon name={icon} size={12} label={word} />
      </span>
      <div>
        <p>{doctorTitles[check.id]}</p>
        <p className={tableStyles.sub}>{doctorFoundText(check.found)}</p>
        {check.requestId !== null && (check.verdict === 'fail' || check.verdict === 'warn') ? (
          <p className={partsStyles.requestId}>
            <span>{keysText.request}</span>
            <code>{check.requestId}</code>
            <CopyButton text={check.requestId} what={keysText.requestId} />
          </p>
        ) : null}
      </div>
      <span className={textStyles.muted}>{check.ms === null ? '' : keysText.milliseconds(Math.round(check.ms))}</span>
    </li>
  )
}

/** Runs a key's tests, from the cheapest request to the most expensive, and shows their results. No test executes anything. */
export function DoctorPanel({ keyId, live }: { readonly keyId: string; readonly live: boolean }) {
  const navigate = useNavigate()
  const last = useIpcQuery('doctor.last', { keyId })
  const run = useIpcCommand('doctor.run')
  const report = run.data ?? last.data ?? null
  const tried = report?.checks.filter(({ verdict }) => verdict !== 'skipped') ?? []
  const passed = tried.filter(({ verdict }) => verdict === 'pass').length
  const worst = tried.some(({ verdict }) => verdict === 'fail') ? 'danger' : passed < tried.length ? 'warn' : 'ok'
  const conclusion = report === null ? null : doctorConclusion(report.cause, keyId)
  const start = () => run.mutate({ keyId })
  return (
    <Panel
      title={keysText.doctor}
      count={
        report === null ? undefined : (
          <Chip tone={worst} icon={worst === 'ok' ? 'check' : 'warn'}>
            {keysText.checksPassed(passed, tried.length)}
          </Chip>
        )
      }
      end={
        <>
          {report === null ? null : (
            <span className={textStyles.muted}>
              <Time ms={report.finishedAtMs} />
            </span>
          )}
          {report === null && !run.isPending ? null : (
            <Button size="xs" icon="refresh" busy={run.isPending} onClick={start}>
              {keysText.runAgain}
            </Button>
          )}
        </>
      }
    >
      {run.error === null ? null : <FailureNote failure={failureOf(run.error)} />}
      {report === null ? (
        <Empty
          icon="shield-check"
          title={keysText.notTestedYet}
          level={3}
          actions={
            <Button icon="shield-check" busy={run.isPending} onClick={start} disabled={!live}>
              {keysText.testKey}
            </Button>
          }
        >
          {keysText.doctorIntro}
        </Empty>
      ) : (
        <>
          {report.cause === 'healthy' || conclusion === null ? null : (
            <div className={styles.doctorSummary} role="status">
              <p>{conclusion.sentence}</p>
              {conclusion.action === null ? null : (
                <Button size="xs" onClick={() => navigate(conclusion.action?.to ?? 'keys')}>
                  {conclusion.action.label}
                </Button>
              )}
            </div>
          )}
          <ul className={styles.doctorChecks} aria-label={keysText.checks}>
            {report.checks
              .map((check, index) => ({ check, index }))
              .sort((a, b) => order[a.check.verdict] - order[b.check.verdict] || a.index - b.index)
              .map(({ check }) => (
                <CheckRow key={check.id} check={check} />
              ))}
          </ul>
        </>
      )}
    </Panel>
  )
}
