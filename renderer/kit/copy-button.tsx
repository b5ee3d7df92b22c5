import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { kitText } from '../text/en/kit.en.tsx'
import { Button, type ButtonSize, type ButtonVariant, IconButton } from './button.tsx'
import type { IconName } from './icons/icon.tsx'
import styles from './text.module.css'

/** Puts text on the clipboard and answers whether it is there. */
export type CopyText = (text: string) => Promise<boolean>

const CopyContext = createContext<CopyText | null>(null)

/** Gives every copy button below it its way to the clipboard. */
export function CopyProvider({ copy, children }: { readonly copy: CopyText; readonly children: ReactNode }) {
  return <CopyContext value={copy}>{children}</CopyContext>
}

interface CopyButtonProps {
  /** What goes to the clipboard. Never a secret: those are copied by main itself. */
  readonly text: string
  /** What is copied, for example "address": names the button. */
  readonly what: string
  /** With words beside the icon. */
  readonly words?: string
  readonly icon?: IconName
  readonly size?: ButtonSize
  readonly variant?: ButtonVariant
}

/** Copies through what the `CopyProvider` gave, since the page has no clipboard of its own, and says so for two seconds. */
export function CopyButton({ text, what, words, icon = 'copy', size = 'xs', variant }: CopyButtonProps) {
  const copy = useContext(CopyContext)
  if (copy === null) throw new Error('CopyButton needs a CopyProvider above it')
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'failed'>('none')
  useEffect(() => {
    if (outcome === 'none') return
    const timer = setTimeout(() => setOutcome('none'), 2_000)
    return () => clearTimeout(timer)
  }, [outcome])
  const press = async () => setOutcome((await copy(text)) ? 'copied' : 'failed')
  const shown = outcome === 'copied' ? 'check' : outcome === 'failed' ? 'x' : icon
  return (
    <>
      {words === undefined ? (
        <IconButton icon={shown} label={kitText.copy(what)} size={size} variant={variant ?? 'ghost'} onClick={() => void press()} />
      ) : (
        <Button icon={shown} size={size} variant={variant ?? 'standard'} onClick={() => void press()}>
          {words}
        </Button>
      )}
      <span className={styles.screenReaderOnly} role="status">
        {outcome === 'copied' ? kitText.copied(what) : outcome === 'failed' ? kitText.copyFailed(what) : ''}
      </span>
    </>
  )
}
