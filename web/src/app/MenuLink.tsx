import { Classes } from '@blueprintjs/core'
import type { SVGIconProps } from '@blueprintjs/icons'
import { Link } from '@tanstack/react-router'
import type { ComponentType } from 'react'

interface MenuLinkProps {
  to: string
  icon: ComponentType<SVGIconProps>
  text: string
}

/** A link that looks like an entry of a menu and closes the popover around it. A real link: it opens in new tabs too. */
export function MenuLink({ to, icon: Icon, text }: MenuLinkProps) {
  return (
    <Link to={to} className={`${Classes.MENU_ITEM} ${Classes.POPOVER_DISMISS}`}>
      <span className={Classes.MENU_ITEM_ICON}>
        <Icon />
      </span>
      {text}
    </Link>
  )
}
