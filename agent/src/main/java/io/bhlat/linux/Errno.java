// SPDX-License-Identifier: Apache-2.0
package io.bhlat.linux;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Map;

/**
 * Names of error numbers, which say more than numbers and, unlike strerror's texts, can be looked
 * up.
 */
public final class Errno {

  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int E2BIG = 7;
  public static final int EACCES = 13;
  public static final int EBUSY = 16;
  public static final int EINVAL = 22;

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(EPERM, "EPERM"),
          Map.entry(ENOENT, "ENOENT"),
          Map.entry(4, "EINTR"),
          Map.entry(5, "EIO"),
          Map.entry(E2BIG, "E2BIG"),
          Map.entry(9, "EBADF"),
          Map.entry(11, "EAGAIN"),
          Map.entry(12, "ENOMEM"),
          Map.entry(EACCES, "EACCES"),
          Map.entry(14, "EFAULT"),
          Map.entry(EBUSY, "EBUSY"),
          Map.entry(17, "EEXIST"),
          Map.entry(19, "ENODEV"),
          Map.entry(EINVAL, "EINVAL"),
          Map.entry(23, "ENFILE"),
          Map.entry(24, "EMFILE"),
          Map.entry(28, "ENOSPC"),
          Map.entry(38, "ENOSYS"),
          Map.entry(95, "EOPNOTSUPP"),
          Map.entry(524, "ENOTSUPP"));

  private Errno() {}

  /**
   * The name of an error number, positive or negated; {@code errno N} for one that is not known.
   */
  public static String name(int errno) {
    int number = Math.abs(errno);
    return NAMES.getOrDefault(number, "errno " + number);
  }

  /** The file and the reason of an I/O error; Java drops the reason of the two commonest. */
  public static String text(IOException e) {
    if (!(e instanceof FileSystemException failure)) {
      return String.valueOf(e.getMessage());
    }
    String reason = failure.getReason();
    if (reason == null) {
      reason =
          failure instanceof NoSuchFileException
              ? name(ENOENT)
              : failure instanceof AccessDeniedException
                  ? name(EACCES)
                  : failure.getClass().getSimpleName();
    }
    return failure.getFile() + ": " + reason;
  }
}
