// SPDX-License-Identifier: Apache-2.0
package io.bhlat.kernel;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The files of one host, below a root: "/" for the host this runs on, a directory of fixtures in
 * tests. Paths are given as they are on the host, from "/".
 *
 * @param root where the host's "/" is found
 */
public record HostFiles(Path root) {

  /** The files of the host this process runs on. */
  public static HostFiles ofThisHost() {
    return new HostFiles(Path.of("/"));
  }

  /** Where the file that the host calls {@code hostPath} is found. */
  public Path path(String hostPath) {
    return root.resolve(hostPath.startsWith("/") ? hostPath.substring(1) : hostPath);
  }

  /**
   * True if the path is a directory, false if it is something else or does not exist.
   *
   * @throws HostReadException if the path cannot be looked at
   */
  public boolean isDirectory(String hostPath) {
    Path path = path(hostPath);
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).isDirectory();
    } catch (NoSuchFileException absent) {
      return false;
    } catch (IOException e) {
      throw new HostReadException(path, e);
    }
  }

  /**
   * The text of a small file without the white space around it; empty only if the file does not
   * exist.
   *
   * @throws HostReadException if the file exists but cannot be read
   */
  public Optional<String> text(String hostPath) {
    return bytes(hostPath).map(bytes -> new String(bytes, StandardCharsets.UTF_8).strip());
  }

  /**
   * The text of a file that every Linux host has.
   *
   * @throws HostReadException if the file does not exist or cannot be read
   */
  public String requiredText(String hostPath) {
    return text(hostPath)
        .orElseThrow(
            () ->
                new HostReadException(
                    path(hostPath), "ENOENT; is procfs mounted on /proc and sysfs on /sys?"));
  }

  /**
   * All bytes of a file; empty only if the file does not exist.
   *
   * @throws HostReadException if the file exists but cannot be read
   */
  public Optional<byte[]> bytes(String hostPath) {
    Path path = path(hostPath);
    try (InputStream in = Files.newInputStream(path)) {
      return Optional.of(in.readAllBytes());
    } catch (NoSuchFileException absent) {
      return Optional.empty();
    } catch (IOException e) {
      throw new HostReadException(path, e);
    }
  }

  /**
   * The names in a directory, sorted, numbers by value; empty list if the directory is empty or
   * does not exist.
   *
   * @throws HostReadException if the directory exists but cannot be read
   */
  public List<String> names(String hostPath) {
    Path directory = path(hostPath);
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        names.add(String.valueOf(entry.getFileName()));
      }
    } catch (NoSuchFileException absent) {
      return List.of();
    } catch (NotDirectoryException e) {
      throw new HostReadException(directory, "ENOTDIR; a directory was expected");
    } catch (IOException | DirectoryIteratorException e) {
      throw new HostReadException(directory, e instanceof IOException io ? io : new IOException(e));
    }
    names.sort(HostFiles::compareNumbersByValue);
    return List.copyOf(names);
  }

  /** "mlx4_2" before "mlx4_10": the shorter run of digits first. */
  private static int compareNumbersByValue(String a, String b) {
    int prefix = 0;
    while (prefix < a.length() && prefix < b.length() && a.charAt(prefix) == b.charAt(prefix)) {
      prefix++;
    }
    while (prefix > 0 && isDigit(a.charAt(prefix - 1))) {
      prefix--;
    }
    int digitsOfA = digitsFrom(a, prefix);
    int digitsOfB = digitsFrom(b, prefix);
    if (digitsOfA > 0 && digitsOfB > 0 && digitsOfA != digitsOfB) {
      return Integer.compare(digitsOfA, digitsOfB);
    }
    return a.compareTo(b);
  }

  private static int digitsFrom(String text, int from) {
    int end = from;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    return end - from;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
