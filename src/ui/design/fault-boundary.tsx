/** Keeps a fault in one room from taking the studio with it; says so, and offers to try again. */
import { Component, type ReactNode } from "react";
import { Icon } from "./icon.tsx";

export interface FaultBoundaryProps {
  readonly children: ReactNode;
  /** What failed, as the beginning of a sentence. */
  readonly what: string;
}

interface FaultState {
  readonly fault: string | undefined;
}

export class FaultBoundary extends Component<FaultBoundaryProps, FaultState> {
  override state: FaultState = { fault: undefined };

  static getDerivedStateFromError(fault: unknown): FaultState {
    return { fault: fault instanceof Error ? fault.message : String(fault) };
  }

  override render(): ReactNode {
    const { fault } = this.state;
    if (fault === undefined) return this.props.children;
    return (
      <div className="fault">
        <div className="message error" role="alert">
          <Icon name="error" />
          <div>
            <strong>{this.props.what} cannot be shown.</strong>
            <p>
              This is a mistake of the studio, not yours; the project is unharmed and stays saved on
              this device. ({fault})
            </p>
            <div className="actions">
              <button
                type="button"
                className="button"
                onClick={() => this.setState({ fault: undefined })}
              >
                Try again
              </button>
              <button type="button" className="button" onClick={() => window.location.reload()}>
                Reload the page
              </button>
            </div>
          </div>
        </div>
      </div>
    );
  }
}
