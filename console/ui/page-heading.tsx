import { Title, type TitleProps } from '@mantine/core';
import { createContext, useContext, useLayoutEffect } from 'react';

/** Registers a page's own heading with the frame around it, and returns how to unregister it. */
export const HeadingContext = createContext<() => () => void>(() => () => undefined);

/** The one heading of level 1 of a page that names an object. Every other page has its title in the frame's head as such. */
export function PageHeading(props: Omit<TitleProps, 'order'>) {
  const register = useContext(HeadingContext);
  // Before the browser paints, so that a page has one such heading at any time.
  useLayoutEffect(register, [register]);
  return <Title {...props} order={1} />;
}
