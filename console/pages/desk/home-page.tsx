import { Navigate } from 'react-router';
import { useMe } from '../../api/me.ts';

/** First page: agents and monitors begin at their desk, who manages campaigns at the overview. */
export function HomePage() {
  const { may } = useMe();
  const manages = may('campaign:write');
  return manages === undefined ? null : <Navigate to={manages || may('agent:operate') !== true ? '/wall' : '/desk'} replace />;
}
