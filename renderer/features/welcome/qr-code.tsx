import { type ReactNode, useMemo } from 'react'
import { Logo } from '../../kit/icons/icon.tsx'
import { qrShape } from './qr-shape.ts'

const ink = '#101419'

/** A pairing code to scan. Always dark on white: many scanners read nothing else. */
export function QrCode({ text }: { readonly text: string }) {
  const { size, path, eyes } = useMemo(() => qrShape(text), [text])
  return (
    <div className="qr-box">
      <svg className="qr" width="228" height="228" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="Pairing code" shapeRendering="crispEdges">
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
      <span className="qr-mark">
        <Logo />
      </span>
    </div>
  )
}

/** The place of a code that is not there: why, in the same box. */
export function QrPlaceholder({ children }: { readonly children: ReactNode }) {
  return <div className="qr-box is-empty">{children}</div>
}
