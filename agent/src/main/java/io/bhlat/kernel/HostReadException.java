// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file of the host exists but could not be read or understood. */
public final class HostReadException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  HostReadException(Path path, String reason) {
    super("read " + path + ": " + reason);
  }

  HostReadException(Path path, IOException cause) {
    super("read " + path + ": " + reason(cause), cause);
  }

  /**
   * What the system said, without the path, which {@link FileSystemException} repeats. Java drops
   * the reason of the two commonest errors, so their errno is named here.
   */
  private static String reason(IOException cause) {
    if (cause instanceof AccessDeniedException) {
      return "EACCES; run as root";
    }
    if (cause instanceof NoSuchFileException) {
      return "ENOENT";
    }
    if (cause instanceof FileSystemException fileSystem && fileSystem.getReason() != null) {
      return fileSystem.getReason();
    }
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }
}
