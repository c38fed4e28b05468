// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import io.bhlat.web.WebUsers.User;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Credentials that bcrypt found right, so that it is not asked at every scrape. Held are only their
 * HMACs under a key that is made for this object and never leaves it: over user, hash and password,
 * each with its length before it, so that no two credentials are one text. Wrong ones are not held,
 * for a flood of them would drive out the others. Thread-safe.
 */
final class VerifiedCredentials {

  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEY_BYTES = 32;
  private static final int MOST = 256;

  private final SecretKeySpec key;
  private final Set<ByteBuffer> verified =
      Collections.synchronizedSet(
          Collections.newSetFromMap(
              new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Boolean> eldest) {
                  return size() > MOST;
                }
              }));

  VerifiedCredentials() {
    byte[] random = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(random);
    this.key = new SecretKeySpec(random, ALGORITHM);
  }

  /** What stands for these credentials here. */
  ByteBuffer digest(String name, User user, byte[] password) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      update(mac, name.getBytes(StandardCharsets.UTF_8));
      update(mac, user.hash().getBytes(StandardCharsets.UTF_8));
      update(mac, password);
      return ByteBuffer.wrap(mac.doFinal()).asReadOnlyBuffer();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
  }

  private static void update(Mac mac, byte[] part) {
    mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
    mac.update(part);
  }

  boolean contains(ByteBuffer digest) {
    return verified.contains(digest);
  }

  void add(ByteBuffer digest) {
    verified.add(digest);
  }

  int size() {
    return verified.size();
  }
}
