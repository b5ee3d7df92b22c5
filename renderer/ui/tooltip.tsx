import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { place } from './place.ts'

/** Words that a pointer or the focus brings up. For a fact that is nice to have; never for one that is needed. */
export function Tooltip({ tip, children }: { readonly tip: ReactNode; readonly children: ReactNode }) {
  const id = useId()
  const anchor = useRef<HTMLSpanElement>(null)
  const floating = useRef<HTMLSpanElement>(null)
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const tipElement = floating.current
    const anchorElement = anchor.current
    if (!shown || tipElement === null || anchorElement === null) return
    tipElement.showPopover()
    const at = place(
      anchorElement.getBoundingClientRect(),
      { width: tipElement.offsetWidth, height: tipElement.offsetHeight },
      { width: innerWidth, height: innerHeight },
      'middle',
      6,
    )
    tipElement.style.setProperty('left', `${at.left}px`)
    tipElement.style.setProperty('top', `${at.top}px`)
    return () => {
      if (tipElement.isConnected) tipElement.hidePopover()
    }
  }, [shown])
  const show = () => setShown(true)
  const hide = () => setShown(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches what it surrounds
    <span
      ref={anchor}
      className="tip-anchor"
      aria-describedby={shown ? id : undefined}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
    >
      {children}
      <span ref={floating} id={id} role="tooltip" popover="manual" className="tip">
        {tip}
      </span>
    </span>
  )
}
