import {
  ArrowDown,
  ArrowUp,
  ChevronLeft,
  ChevronRight,
  LayoutGrid,
  Lock,
  Minus,
  PanelLeft,
  Plus,
  X,
} from 'lucide-react';

/** The product's icons: of one set, drawn as lightly as the words beside them, and never read aloud. */
const stroke = { absoluteStrokeWidth: true, strokeWidth: 1.4 };

/** Closes, or takes away. */
export function CloseIcon({ size = 14 }: { size?: 12 | 14 | 16 }) {
  return <X size={size} {...stroke} />;
}

export function PreviousIcon() {
  return <ChevronLeft size={16} {...stroke} />;
}

export function NextIcon() {
  return <ChevronRight size={16} {...stroke} />;
}

export function ZoomInIcon() {
  return <Plus size={16} {...stroke} />;
}

export function ZoomOutIcon() {
  return <Minus size={16} {...stroke} />;
}

/** All pages of a document, small. */
export function PagesIcon() {
  return <LayoutGrid size={16} {...stroke} />;
}

/** The side of the page with files and questions. */
export function SidebarIcon() {
  return <PanelLeft size={20} {...stroke} />;
}

/** Stands beside what the plan does not have. */
export function LockIcon() {
  return <Lock size={14} {...stroke} />;
}

/** The order of a column. */
export function OrderIcon({ order }: { order: 'ascending' | 'descending' }) {
  const Icon = order === 'ascending' ? ArrowUp : ArrowDown;
  return <Icon size={12} {...stroke} />;
}
