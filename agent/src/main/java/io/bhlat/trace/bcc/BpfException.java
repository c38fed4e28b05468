// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.linux.Errno;

/**
 * Something in the BPF machinery failed. The message says the action and its object, the reason (an
 * errno's name where there is one) and the remedy; {@link #details} holds what clang or the
 * verifier wrote.
 */
public final class BpfException extends Exception {

  private static final long serialVersionUID = 1L;

  /** What kind of obstacle it is; the command line's exit codes follow it. */
  public enum Kind {
    /** A privilege is missing. */
    NOT_PERMITTED,
    /** The kernel, or libbcc, does not offer it. */
    UNSUPPORTED,
    /** It should have worked. */
    FAILED
  }

  private final Kind kind;
  private final String details;

  BpfException(Kind kind, String action, String reason, String remedy) {
    this(kind, action, reason, remedy, "");
  }

  BpfException(Kind kind, String action, String reason, String remedy, String details) {
    super(action + ": " + reason + (remedy.isEmpty() ? "" : "; " + remedy));
    this.kind = kind;
    this.details = details;
  }

  private BpfException(Kind kind, String message) {
    super(message);
    this.kind = kind;
    this.details = "";
  }

  /** A failure of the process image before this one. */
  static BpfException ofEarlier(Kind kind, String message) {
    return new BpfException(kind, message);
  }

  /**
   * An error by number: EPERM and EACCES are missing privileges, ENOENT and the like the kernel's.
   */
  static BpfException ofErrno(String action, int errno, String details) {
    return switch (Math.abs(errno)) {
      case Errno.EPERM, Errno.EACCES ->
          new BpfException(
              Kind.NOT_PERMITTED,
              action,
              Errno.name(errno),
              "run as root or grant CAP_BPF and CAP_PERFMON (before Linux 5.8: CAP_SYS_ADMIN)",
              details);
      case Errno.ENOENT ->
          new BpfException(
              Kind.UNSUPPORTED, action, Errno.name(errno), "this kernel does not have it", details);
      case Errno.EINVAL ->
          new BpfException(
              Kind.UNSUPPORTED,
              action,
              Errno.name(errno),
              "this kernel does not support it as it is",
              details);
      case Errno.EBUSY ->
          new BpfException(
              Kind.UNSUPPORTED,
              action,
              Errno.name(errno),
              "a live patch or another tracer holds it: end that, or go on without",
              details);
      default -> new BpfException(Kind.FAILED, action, Errno.name(errno), "", details);
    };
  }

  /** What kind of obstacle it is. */
  public Kind kind() {
    return kind;
  }

  /** Diagnostics of clang or the verifier, several lines; empty when there are none. */
  public String details() {
    return details;
  }
}
