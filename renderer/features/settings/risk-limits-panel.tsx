import { useState } from 'react'
import type { RiskLimits } from '../../../shared/ipc/intents/risk-limits.ts'
import { draftOf, issuesOf, type LimitName, type LimitsDraft, limitsOf, loosened } from '../../../shared/limits-draft.ts'
import { minute } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { Panel } from '../../kit/layout/panel.tsx'
import { State } from '../../kit/layout/state.tsx'
import { useAmountText } from '../../kit/number.tsx'
import { useToast } from '../../kit/overlay/toast.tsx'
import { ConfirmName } from '../../parts/confirm-name.tsx'
import { FailureNote, FailurePanel } from '../../parts/failure-note.tsx'
import { HelpButton } from '../../parts/help/help-link.tsx'
import { LimitFields } from '../../parts/limit-fields.tsx'
import { kitText } from '../../text/en/kit.en.tsx'
import { settingsText } from '../../text/en/settings.en.tsx'
import styles from './settings.module.css'

const limitNames: Readonly<Record<LimitName, string>> = {
  orderValueUsdc: settingsText.maxOrderSize,
  leverage: settingsText.maxLeverage,
  dailyLossUsdc: settingsText.maxDailyLoss,
  markets: settingsText.markets,
}

const listed = (limits: readonly LimitName[]): string => kitText.listed(limits.map((limit) => limitNames[limit]))

export function RiskLimitsPanel() {
  const kept = useIpcQuery('riskLimits.get', {})
  const failure = kept.data === undefined && kept.error !== null ? failureOf(kept.error) : null
  return (
    <div id="settings-risk-limits">
      <Panel
        title={settingsText.riskLimits}
        padded
        end={
          <>
            {kept.data === undefined ? null : <LimitsState limits={kept.data.limits} lost={kept.data.lost} />}
            <HelpButton topic="settings/risk-limits" />
          </>
        }
      >
        {failure !== null ? (
          <FailurePanel failure={failure} onRetry={() => void kept.refetch()} retrying={kept.isFetching} />
        ) : kept.data === undefined ? null : (
          <LimitsForm
            key={JSON.stringify([kept.data.limits, kept.data.lost])}
            limits={kept.data.limits}
            lost={kept.data.lost}
            loosenWith={kept.data.loosenWith}
          />
        )}
      </Panel>
    </div>
  )
}

function LimitsState({ limits, lost }: { readonly limits: RiskLimits; readonly lost: boolean }) {
  if (lost)
    return (
      <State tone="warn" icon="warn">
        {settingsText.lost}
      </State>
    )
  const set = Object.values(limits).filter((limit) => limit !== null).length
  return set === 0 ? (
    <State tone="off" icon="shield">
      {settingsText.none}
    </State>
  ) : (
    <State tone="ok" icon="shield-check">
      {settingsText.limitsSet(set)}
    </State>
  )
}

function LimitsForm({ limits, lost, loosenWith }: { readonly limits: RiskLimits; readonly lost: boolean; readonly loosenWith: string }) {
  const save = useIpcCommand('riskLimits.save')
  const toast = useToast()
  const [draft, setDraft] = useState<LimitsDraft>(draftOf(limits))
  const [confirms, setConfirms] = useState(false)
  const change = (part: Partial<LimitsDraft>) => setDraft({ ...draft, ...part })
  const issues = issuesOf(draft)
  const next = limitsOf(draft)
  const looser = next === null ? [] : loosened(limits, next)
  const unchanged = next !== null && JSON.stringify(next) === JSON.stringify(limitsOf(draftOf(limits)))
  const waives = lost && next !== null && Object.values(next).every((limit) => limit === null)
  const keep = (typed: string | null) => {
    if (next === null) return
    save.mutate(
      { limits: next, typed },
      {
        onSuccess: () => {
          setConfirms(false)
          toast({ tone: 'ok', title: settingsText.riskLimitsSaved, text: settingsText.riskLimitsSavedHelp, action: null })
        },
      },
    )
  }
  const failure = save.error === null ? null : failureOf(save.error)
  return (
    <form
      className={styles.limits}
      onSubmit={(event) => {
        event.preventDefault()
        if (next === null || (unchanged && !lost)) return
        if (looser.length > 0 || lost) setConfirms(true)
        else keep(null)
      }}
    >
      <p className={styles.limitsWhy}>{settingsText.riskLimitsLead}</p>
      {lost ? (
        <Note tone="warn" icon="shield" title={settingsText.riskLimitsLost}>
          {settingsText.riskLimitsLostWhy}
        </Note>
      ) : null}
      <LimitFields id="limit" draft={draft} issues={issues} lossHelp={<LossToday limit={limits.dailyLossUsdc} />} onChange={change} />
      {failure === null || confirms ? null : <FailureNote failure={failure} />}
      <div className={styles.settingsActions}>
        <Button type="submit" busy={save.isPending} disabled={next === null || (unchanged && !lost)}>
          {waives ? settingsText.continueWithoutLimits : settingsText.save}
        </Button>
        {unchanged && next !== null ? null : (
          <Button variant="ghost" onClick={() => setDraft(draftOf(limits))}>
            {settingsText.undo}
          </Button>
        )}
        {looser.length === 0 ? null : <span className={styles.limitsLooser}>{settingsText.raisesLimits(listed(looser))}</span>}
      </div>
      {confirms ? (
        <ConfirmName
          title={waives ? settingsText.tradeWithoutLimits : lost ? settingsText.setNewLimits : settingsText.raiseLimits}
          effect={lost ? (waives ? settingsText.noLimitsEffect : settingsText.newLimitsEffect) : settingsText.raisedLimitsEffect(listed(looser))}
          name={loosenWith}
          confirmLabel={waives ? settingsText.continueWithoutLimits : lost ? settingsText.setLimits : settingsText.raise}
          keepLabel={lost ? settingsText.notYet : settingsText.keepLimits}
          busy={save.isPending}
          failure={failure}
          onClose={() => setConfirms(false)}
          onConfirm={() => keep(loosenWith)}
        />
      ) : null}
    </form>
  )
}

const whyUnknown = {
  no_key: settingsText.lossNeedsKey,
  not_told: settingsText.lossNotReported,
  not_added_up: settingsText.lossNotAddedUp,
} as const

function LossToday({ limit }: { readonly limit: string | null }) {
  const amount = useAmountText()
  const today = useIpcQuery('riskLimits.today', {}, { every: minute }).data
  if (today === undefined) return settingsText.lossHelp
  if (!today.known) return [settingsText.lossUnknown, whyUnknown[today.why], ...(limit === null ? [] : [settingsText.lossBlocks])].join(' ')
  return settingsText.lossToday(amount(today.lossUsdc, { decimals: 2 }))
}
