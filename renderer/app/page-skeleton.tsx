import { Loading, Skeleton } from '../kit/layout/skeleton.tsx'

/** While a page's code comes: its head and two panels, shown only if it takes long enough to be noticed. */
export function PageSkeleton() {
  return (
    <Loading label="Opening the page">
      <div className="page page-wait">
        <div className="page-head">
          <Skeleton width={140} height={20} />
        </div>
        {[240, 320].map((height) => (
          <div className="panel" key={height} style={{ height }} />
        ))}
      </div>
    </Loading>
  )
}
