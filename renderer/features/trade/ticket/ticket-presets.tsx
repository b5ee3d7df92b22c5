import { type FormEvent, useState } from 'react'
import { formatDecimal } from '../../../../shared/decimal.ts'
import type { FormIssue } from '../../../../shared/ipc/form-issue.ts'
import type { TicketPreset } from '../../../../shared/ipc/intents/presets.ts'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import type { Result } from '../../../../shared/result.ts'
import { formIssueText } from '../../../../shared/text/form-text.ts'
import { presetLimits } from '../../../../shared/ticket/form/ticket-state.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { Field, Input } from '../../../kit/input.tsx'
import { Menu, type MenuEntry } from '../../../kit/overlay/menu.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import textStyles from '../../../kit/text.module.css'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { kitText } from '../../../text/en/kit.en.tsx'
import { tradeText } from '../../../text/en/trade.en.tsx'
import styles from '../trade.module.css'

const typeNames = { market: tradeText.atMarket, limit: tradeText.limit, stop: tradeText.stop } as const

function presetWords({ orderType, side, leverage, marginMode, orderValue, valueIn }: TicketPreset, market: Market): string {
  const unit = { usdc: 'USDC', base: market.base, free_margin: tradeText.ofFreeMargin }[valueIn]
  const size = orderValue === null ? [] : [`${formatDecimal(orderValue)} ${unit}`]
  return kitText.listed([`${typeNames[orderType]} ${side}`, `${leverage}× ${marginMode}`, ...size])
}

export function usePresets(): readonly TicketPreset[] {
  return useIpcQuery('presets.list', {}).data?.presets ?? []
}

interface MenuProps {
  readonly presets: readonly TicketPreset[]
  readonly market: Market
  readonly onApply: (preset: TicketPreset) => void
  readonly onManage: () => void
}

/** The menu of saved presets. Choosing one fills the form. */
export function PresetMenu({ presets, market, onApply, onManage }: MenuProps) {
  const kept: MenuEntry[] = presets.map((preset) => ({
    label: preset.name,
    note: `${typeNames[preset.orderType]} ${preset.leverage}×${preset.orderValue === null || preset.valueIn !== 'usdc' ? '' : ` ${formatDecimal(preset.orderValue)}`}`,
    onSelect: () => onApply(preset),
  }))
  return (
    <Menu
      label={tradeText.presets}
      align="end"
      trigger={(props) => <IconButton {...props} icon="settings" size="xs" label={tradeText.presetsFor(market.symbol)} />}
      entries={[
        ...(kept.length === 0 ? [] : [{ type: 'heading' as const, label: tradeText.applyPreset }, ...kept, { type: 'separator' as const }]),
        { label: tradeText.managePresets, icon: 'pen', onSelect: onManage },
      ]}
    />
  )
}

interface SheetProps {
  readonly presets: readonly TicketPreset[]
  readonly market: Market
  /** Makes a preset with this name from the form's terms. */
  readonly make: (name: string) => Result<TicketPreset, FormIssue>
  readonly onApply: (preset: TicketPreset) => void
  readonly onClose: () => void
}

export function PresetSheet({ presets, market, make, onApply, onClose }: SheetProps) {
  const save = useIpcCommand('presets.save')
  const [name, setName] = useState('')
  const [issue, setIssue] = useState<string | null>(null)
  const trimmed = name.trim()
  const there = presets.some((preset) => preset.name === trimmed)
  const full = presets.length >= presetLimits.most && !there
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const preset = trimmed === '' ? null : make(trimmed)
    if (preset === null) setIssue(tradeText.presetNameMissing)
    else if (!preset.ok) setIssue(formIssueText(preset.failure))
    else if (full) setIssue(tradeText.presetsFull(presetLimits.most))
    else save.mutate(preset.value, { onSuccess: () => setName('') })
  }
  return (
    <Sheet title={tradeText.presets} lead={tradeText.presetsLead} icon="settings" className={overlayStyles.narrow} onClose={onClose}>
      <div className={overlayStyles.sheetBody}>
        <form className={styles.presetNew} onSubmit={submit} noValidate>
          <Field id="preset-name" label={tradeText.savePresetAs} end={tradeText.usedOf(presets.length, presetLimits.most)} error={issue}>
            <Input
              id="preset-name"
              value={name}
              maxLength={presetLimits.longestName}
              placeholder={tradeText.presetExample}
              invalid={issue !== null}
              onChange={(value) => {
                setName(value)
                setIssue(null)
              }}
            />
          </Field>
          <Button type="submit" busy={save.isPending}>
            {there ? tradeText.replace : tradeText.save}
          </Button>
        </form>
        {save.error === null ? null : <FailureNote failure={failureOf(save.error)} />}
        {presets.length === 0 ? (
          <p className={textStyles.muted}>{tradeText.noPresetsYet}</p>
        ) : (
          <ul className={styles.presets} aria-label={tradeText.savedPresets}>
            {presets.map((preset) => (
              <PresetRow key={preset.name} preset={preset} words={presetWords(preset, market)} onApply={onApply} />
            ))}
          </ul>
        )}
      </div>
      <SheetFoot>
        <Button onClick={onClose} kbd={[tradeText.esc]}>
          {tradeText.close}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

function PresetRow({ preset, words, onApply }: { readonly preset: TicketPreset; readonly words: string; readonly onApply: (preset: TicketPreset) => void }) {
  const remove = useIpcCommand('presets.remove')
  const [asking, setAsking] = useState(false)
  const { name } = preset
  return (
    <li>
      <div className={textStyles.grow}>
        <b className={textStyles.cut}>{name}</b>
        <p className={textStyles.muted}>{asking ? tradeText.presetDeletedForGood : words}</p>
      </div>
      {asking ? (
        <>
          <Button size="sm" variant="danger" busy={remove.isPending} onClick={() => remove.mutate({ name })}>
            {tradeText.deletePreset}
          </Button>
          <Button size="sm" autoFocus onClick={() => setAsking(false)}>
            {tradeText.keepPreset}
          </Button>
        </>
      ) : (
        <>
          <Button size="sm" aria-label={tradeText.applyNamed(name)} onClick={() => onApply(preset)}>
            {tradeText.use}
          </Button>
          <IconButton icon="trash" size="sm" label={tradeText.deleteNamed(name)} onClick={() => setAsking(true)} />
        </>
      )}
    </li>
  )
}
