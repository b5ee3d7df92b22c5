import { Icon } from '../../kit/icons/icon.tsx'

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

/** A window with candles and a phone that approves: what practice mode is, at a glance. */
export function PracticeScene() {
  return (
    <div className="pra-top">
      <span className="band-tag">
        <Icon name="flask" size={14} />
        Practice
      </span>
      <svg className="scene" viewBox="0 0 360 168" aria-hidden="true">
        <g className="s-win">
          <rect x="28" y="22" width="214" height="160" rx="8" />
          <path d="M28 42h214" />
        </g>
        <g className="s-dots">
          <circle cx="40" cy="32" r="2.5" />
          <circle cx="49" cy="32" r="2.5" />
          <circle cx="58" cy="32" r="2.5" />
        </g>
        <g className="s-wick">
          <path d="M52 118v34M70 108v30M88 98v40M106 104v26M124 84v36M142 78v26M160 86v34M178 66v38M196 56v30M214 62v26" />
        </g>
        <g className="s-up">
          {up.map(([x, y, height]) => (
            <rect key={x} x={x} y={y} width="7" height={height} rx="1" />
          ))}
        </g>
        <g className="s-down">
          {down.map(([x, y, height]) => (
            <rect key={x} x={x} y={y} width="7" height={height} rx="1" />
          ))}
        </g>
        <g className="s-ph">
          <rect x="258" y="46" width="74" height="130" rx="14" />
        </g>
        <g className="s-in">
          {lines.map(([y, width, height]) => (
            <rect key={y} x="268" y={y} width={width} height={height} rx="3" />
          ))}
        </g>
        <g className="s-ok">
          <rect x="296" y="130" width="28" height="16" rx="5" />
          <path d="m305.5 138 3 3 6-6" />
        </g>
        <g className="s-no">
          <rect x="266" y="130" width="26" height="16" rx="5" />
        </g>
      </svg>
    </div>
  )
}
