interface Template {
  readonly label?: string;
  readonly role?: string;
  readonly type?: string;
  readonly accelerator?: string;
  readonly click?: () => void;
  readonly submenu?: readonly Template[];
}

interface StandInMenuItem extends Omit<Template, 'submenu'> {
  readonly label: string;
  readonly submenu?: StandInMenu;
}

interface StandInMenu {
  readonly items: readonly StandInMenuItem[];
}

let applicationMenu: StandInMenu | null = null;

export const Menu = {
  buildFromTemplate(template: readonly Template[]): StandInMenu {
    return {
      items: template.map(({ submenu, ...item }) => ({
        ...item,
        label: item.label ?? item.role ?? '',
        ...(submenu === undefined ? {} : { submenu: Menu.buildFromTemplate(submenu) }),
      })),
    };
  },
  setApplicationMenu(menu: StandInMenu | null): void {
    applicationMenu = menu;
  },
  getApplicationMenu: (): StandInMenu | null => applicationMenu,
};
